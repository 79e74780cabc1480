import Foundation
import Testing

@testable import WireProtocol

/// The codes of the live protocol, and the tables of the page about it.
struct LiveErrorCodeTests {
    private static let page = URL(filePath: #filePath).appending(path: "../../../../docs/live-protocol.md").standardized

    /// The cells of each row of a section's table, without the links' targets.
    private static func rows(of section: String) throws -> [[String]] {
        let text = try String(contentsOf: page, encoding: .utf8).replacing(/\]\([^)]*\)/, with: "]")
        let start = try #require(text.range(of: "## \(section)\n"))
        return text[start.upperBound...].prefix(while: { $0 != "#" }).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| ") else { return nil }
            return line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func `the page lists each error code, its meaning, whether to try again, and how the connection ends`()
        throws
    {
        let rows = try Self.rows(of: "Error codes").dropFirst()
        #expect(rows.map { $0[0] } == LiveErrorCode.allCases.map { "`\($0.rawValue)`" })
        for (row, code) in zip(rows, LiveErrorCode.allCases) {
            #expect(row[1].hasPrefix(code.meaning), "\(code)")
            #expect(row[2] == (code.isTemporary ? "yes" : "no"), "\(code)")
            #expect(row[3] == (code.close.map { "closes with \($0.rawValue)" } ?? "stays"), "\(code)")
        }
    }

    @Test func `the page lists each close code`() throws {
        let codes = try Self.rows(of: "When the connection closes").compactMap { UInt16($0[0]) }
        // The WebSocket's own codes are below 4000.
        #expect(codes.filter { $0 >= 4000 } == LiveCloseCode.allCases.map(\.rawValue))
    }

    @Test(arguments: LiveErrorCode.allCases)
    func `an error frame says what its code means, and whether to try again`(_ code: LiveErrorCode) {
        let frame = String(decoding: ServerFrame.error(id: "7", code), as: UTF8.self)
        #expect(frame.hasPrefix(#"{"type":"error","id":7,"code":"\#(code.rawValue)","message":"\#(code.meaning)""#))
        #expect(frame.hasSuffix(#","temporary":\#(code.isTemporary)}"#))
    }
}
