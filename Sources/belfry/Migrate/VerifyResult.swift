import JSON
import Verification

/// What `belfry verify` tells.
struct VerifyResult {
    let store: String
    let mended: [Finding]
    let report: Verification.Report

    /// Prints what was mended and what is wrong, or one line for a sound store.
    func tell() {
        for finding in mended { Terminal.print("mended \(Self.line(of: finding))") }
        for finding in report.findings {
            Terminal.print("wrong \(Self.line(of: finding))" + (finding.canBeMended ? ". `--mend` mends this" : ""))
        }
        if report.isSound {
            Terminal.print("OK \(store): \(report.rows) rows, \(report.checks) checks")
        } else {
            Terminal.complain("\(store) is damaged: see docs/operations.md, \"Checking a store\"")
        }
    }

    private static func line(of finding: Finding) -> String {
        let more = finding.count - Int64(finding.examples.count)
        return "\(finding.check): \(finding.meaning): " + finding.examples.joined(separator: "; ")
            + (more > 0 ? "; and \(more) more" : "")
    }

    var json: JSONValue {
        .object([
            "store": .string(store), "sound": .bool(report.isSound), "rows": .int(report.rows),
            "checks": .int(Int64(report.checks)), "mended": .array(mended.map(Self.json)),
            "findings": .array(report.findings.map(Self.json)),
        ])
    }

    private static func json(of finding: Finding) -> JSONValue {
        .object([
            "check": .string(finding.check), "meaning": .string(finding.meaning), "count": .int(finding.count),
            "examples": .array(finding.examples.map(JSONValue.string)), "canBeMended": .bool(finding.canBeMended),
        ])
    }
}
