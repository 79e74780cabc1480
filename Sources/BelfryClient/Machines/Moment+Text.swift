import Foundation

/// Times in the server's form (RFC 3339): `2025-07-04T19:00:00.000Z`.
///
/// Foundation's styles are not used: they count the years before 1582 by the Julian calendar, and change every other
/// time by a millisecond.
extension Moment {
    private static let perDay: Int64 = 86_400_000
    /// 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z: the times that can be written.
    private static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Nil for an invalid time.
    static func date(_ text: String) -> Date? {
        var reader = TimeReader(rest: text.utf8[...])
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("T", "t"), let hour = reader.number(2), hour < 24,
            reader.skip(":"), let minute = reader.number(2), minute < 60, reader.skip(":"),
            let second = reader.number(2), second < 60, let fraction = reader.fraction(), let offset = reader.offset(),
            reader.rest.isEmpty, let days = days(year, month, day)
        else { return nil }
        let time = ((hour * 60 + minute - offset) * 60 + second) * 1_000 + fraction
        return date(milliseconds: days * perDay + time)
    }

    static func text(_ date: Date) -> String {
        let sought = (date.timeIntervalSince1970 * 1_000).rounded()
        // In this order of comparison, a NaN becomes the first time.
        let first = sought > Double(writable.lowerBound) ? Int64(min(sought, Double(writable.upperBound))) : nil
        let milliseconds = first ?? writable.lowerBound
        let days = (milliseconds - writable.lowerBound) / perDay
        let rest = (milliseconds - writable.lowerBound) % perDay
        let (year, month, day) = civil(days)
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map { padded($0, 2) }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock.joined(separator: ":"))"
            + ".\(padded(rest % 1_000, 3))Z"
    }

    // MARK: The Gregorian calendar

    /// The days before the first day of each month, in a year without a leap day.
    private static let daysBefore: [Int64] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// The days from the first day of year 0 to the first day of this year.
    private static func daysBefore(year: Int64) -> Int64 {
        year == 0 ? 0 : year * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
    }

    private static func daysBefore(month: Int64, of year: Int64) -> Int64 {
        daysBefore[Int(month) - 1] + (month > 2 && isLeap(year) ? 1 : 0)
    }

    /// Days since 1970; nil for a day that does not exist.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        guard (1...12).contains(month), day >= 1,
            daysBefore(month: month, of: year) + day <= daysBefore(month: month + 1, of: year)
        else { return nil }
        return daysBefore(year: year) + daysBefore(month: month, of: year) + day - 1 - daysBefore(year: 1970)
    }

    /// - Parameter days: since the first day of the year 0.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // The right year, or a later one if the day is near the end of a year.
        var year = days / 365
        while daysBefore(year: year) > days { year -= 1 }
        let day = days - daysBefore(year: year)
        var month: Int64 = 12
        while daysBefore(month: month, of: year) > day { month -= 1 }
        return (year, month, day - daysBefore(month: month, of: year) + 1)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

private struct TimeReader {
    var rest: Substring.UTF8View

    mutating func number(_ width: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<width {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    private mutating func digit() -> Int64? {
        guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        rest.removeFirst()
        return Int64(byte - UInt8(ascii: "0"))
    }

    mutating func skip(_ expected: Unicode.Scalar...) -> Bool {
        guard let byte = rest.first, expected.contains(where: { UInt8(ascii: $0) == byte }) else { return false }
        rest.removeFirst()
        return true
    }

    /// Milliseconds, finer digits cut off; 0 without a fraction.
    mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        guard var milliseconds = digit().map({ $0 * 100 }) else { return nil }
        var weight: Int64 = 10
        while let digit = digit() {
            milliseconds += digit * weight
            weight /= 10
        }
        return milliseconds
    }

    /// Minutes east of UTC.
    mutating func offset() -> Int64? {
        if skip("Z", "z") { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard skip("+", "-"), let hours = number(2), hours < 24, skip(":"), let minutes = number(2), minutes < 60
        else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }
}
