import Inbox
import Testing

struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0),
            ("2025-07-04T15:02:44.161Z", 1_751_641_364_161),
            ("2000-02-29T23:59:59.999Z", 951_868_799_999),
            ("1969-12-31T23:59:59.999Z", -1),
            ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func `a moment is written and read back`(_ text: String, _ milliseconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
        #expect(Timestamp(iso8601: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        ("2025-07-04T12:00:00Z", "2025-07-04T12:00:00.000Z"),
        ("2025-07-04t12:00:00z", "2025-07-04T12:00:00.000Z"),
        ("2025-07-04T12:00:00.5Z", "2025-07-04T12:00:00.500Z"),
        ("2025-07-04T12:00:00.123456789Z", "2025-07-04T12:00:00.123Z"),
        ("2025-07-04T12:00:00+02:00", "2025-07-04T10:00:00.000Z"),
        ("2025-12-31T23:30:00.001-01:30", "2026-01-01T01:00:00.001Z"),
        ("2025-07-04T12:00:00-00:00", "2025-07-04T12:00:00.000Z"),
    ])
    func `fractions and offsets are understood`(_ text: String, _ expected: String) {
        #expect(Timestamp(iso8601: text)?.iso8601 == expected)
    }

    @Test(arguments: [
        "", "2025-07-04", "2025-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z", "2025-01-00T00:00:00Z", "2025-01-01T24:00:00Z",
        "2025-01-01T00:60:00Z", "2025-01-01T00:00:60Z", "2025-01-01T00:00:00", "2025-01-01T00:00:00.Z",
        "2025-01-01 00:00:00Z", "2025-01-01T00:00:00Z ", "25-01-01T00:00:00Z", "2025-1-1T00:00:00Z",
        "2025-01-01T00:00:00+2:00", "2025-01-01T00:00:00+24:00", "2025-01-01T00:00:00+02:60",
        "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "+025-01-01T00:00:00Z", "２025-01-01T00:00:00Z",
    ])
    func `anything else is refused`(_ text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test func `every day of four centuries follows the one before`() {
        var (year, month, day) = (1970, 1, 1)
        var unequal: [String] = []
        for days in 0..<146_097 {
            let text = Timestamp(milliseconds: Int64(days) * 86_400_000).iso8601
            func padded(_ number: Int, _ width: Int) -> String {
                String(repeating: "0", count: width - String(number).count) + String(number)
            }
            let expected = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T00:00:00.000Z"
            if text != expected || Timestamp(iso8601: text)?.milliseconds != Int64(days) * 86_400_000 {
                unequal.append(text)
            }
            let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
            let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
            day += 1
            if day > length { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(unequal == [])
    }

    @Test func `moments that have no form are written as the nearest one`() {
        #expect(Timestamp(milliseconds: .max).iso8601 == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: .min).iso8601 == "0000-01-01T00:00:00.000Z")
    }
}
