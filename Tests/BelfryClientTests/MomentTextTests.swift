import Foundation
import Testing

@testable import BelfryClient

/// Times of the server's, read and written.
struct MomentTextTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Calendar/dates.tsv")

    private func milliseconds(_ date: Date?) -> Int64? {
        date.map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) }
    }

    @Test func `moments of all years are those of an independent calendar`() throws {
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count > 900)
        for line in lines {
            let fields = line.split(separator: "\t")
            let (moment, text) = (try #require(Int64(fields[0])), String(fields[1]))
            let written = Moment.text(Moment.date(milliseconds: moment))
            if written != text || milliseconds(Moment.date(text)) != moment {
                Issue.record("\(written) and \(milliseconds(Moment.date(text)) ?? 0), not \(line)")
            }
        }
    }

    @Test func `every millisecond comes back`() {
        for moment in Int64(1_751_641_364_000)..<1_751_641_365_000 {
            let text = Moment.text(Moment.date(milliseconds: moment))
            #expect(milliseconds(Moment.date(text)) == moment)
        }
    }

    @Test(
        arguments: [
            ("2025-07-04T12:00:00Z", 1_751_630_400_000), ("2025-07-04t12:00:00.5z", 1_751_630_400_500),
            ("2025-07-04T12:00:00.123456789Z", 1_751_630_400_123), ("2025-07-04T14:00:00+02:00", 1_751_630_400_000),
            ("2025-07-04T10:30:00.001-01:30", 1_751_630_400_001), ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("0000-02-29T00:00:00Z", -62_162_121_600_000), ("0000-12-31T00:00:00Z", -62_135_683_200_000),
        ] as [(String, Int64)])
    func `fractions and offsets are understood`(_ text: String, _ moment: Int64) {
        #expect(milliseconds(Moment.date(text)) == moment)
    }

    @Test(arguments: [
        "", "2025-07-04", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2025-13-01T00:00:00Z",
        "2025-00-01T00:00:00Z", "2025-01-00T00:00:00Z", "2025-12-32T00:00:00Z", "2025-01-01T24:00:00Z",
        "2025-01-01T00:60:00Z", "2025-01-01T00:00:60Z", "2025-01-01T00:00:00", "2025-01-01T00:00:00.Z",
        "2025-01-01 00:00:00Z", "2025-01-01T00:00:00Z ", "25-01-01T00:00:00Z", "2025-01-01T00:00:00+2:00",
    ])
    func `anything else is no time`(_ text: String) { #expect(Moment.date(text) == nil) }

    @Test func `what no year has is written as the nearest that one has`() {
        #expect(Moment.text(Date(timeIntervalSince1970: .infinity)) == "9999-12-31T23:59:59.999Z")
        #expect(Moment.text(Date(timeIntervalSince1970: -.infinity)) == "0000-01-01T00:00:00.000Z")
        #expect(Moment.text(Date(timeIntervalSince1970: .nan)) == "0000-01-01T00:00:00.000Z")
    }
}
