extension Timestamp {
    private static let millisecondsPerDay: Int64 = 86_400_000
    /// 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z: the years that RFC 3339 can write.
    private static let writable: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Always UTC with milliseconds: `2025-07-04T15:02:44.161Z`.
    ///
    /// A moment before year 0 or after 9999 is written as the nearest one that has a form.
    package var iso8601: String {
        String(unsafeUninitializedCapacity: Self.iso8601Bytes, initializingUTF8With: writeISO8601)
    }

    /// Of ``iso8601``, always.
    package static let iso8601Bytes = 24

    /// Writes ``iso8601`` to the start of `room`, which has ``iso8601Bytes``; returns the number of bytes.
    package func writeISO8601(to room: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let moment = min(max(milliseconds, Self.writable.lowerBound), Self.writable.upperBound)
        let (days, rest) = moment.flooredDivision(by: Self.millisecondsPerDay)
        let date = CivilDate(daysSinceEpoch: days)
        var digits = DigitWriter(buffer: room)
        digits.write(date.year, width: 4, then: "-")
        digits.write(date.month, width: 2, then: "-")
        digits.write(date.day, width: 2, then: "T")
        digits.write(rest / 3_600_000, width: 2, then: ":")
        digits.write(rest / 60_000 % 60, width: 2, then: ":")
        digits.write(rest / 1_000 % 60, width: 2, then: ".")
        digits.write(rest % 1_000, width: 3, then: "Z")
        return digits.count
    }

    /// Reads a date and time with an offset (RFC 3339 §5.6), with or without a fraction; nil for anything else.
    ///
    /// Digits beyond milliseconds are cut off. Leap seconds are refused: the time scale has no room for them.
    package init?(iso8601 text: some StringProtocol) {
        var digits = DigitReader(text.utf8)
        guard let year = digits.read(4), digits.skip("-"), let month = digits.read(2), digits.skip("-"),
            let day = digits.read(2), digits.skip("T", or: "t"),
            let hour = digits.read(2), hour < 24, digits.skip(":"),
            let minute = digits.read(2), minute < 60, digits.skip(":"),
            let second = digits.read(2), second < 60,
            let fraction = digits.readFraction(),
            let offset = digits.readOffset(), digits.isAtEnd,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let time = ((hour * 60 + minute - offset) * 60 + second) * 1_000 + fraction
        let milliseconds = date.daysSinceEpoch * Self.millisecondsPerDay + time
        guard Self.writable.contains(milliseconds) else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

/// A day of the Gregorian calendar. Years begin in March here, so that the leap day comes last.
private struct CivilDate {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Nil for a day that does not exist.
    init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month) else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...lengths[Int(month) - 1]).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    init(daysSinceEpoch days: Int64) {
        let (era, dayOfEra) = (days + Self.epochDay).flooredDivision(by: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    var daysSinceEpoch: Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.epochDay
    }

    /// The calendar repeats every 400 years.
    private static let daysPerEra: Int64 = 146_097
    /// 1970-01-01 counted from 0000-03-01.
    private static let epochDay: Int64 = 719_468
}

private struct DigitWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    /// Inlined, so that a constant width leaves no loop.
    @inline(__always)
    mutating func write(_ number: Int64, width: Int, then separator: Unicode.Scalar) {
        // 32 bits divide faster; every field fits.
        var rest = UInt32(truncatingIfNeeded: number)
        var index = count + width
        buffer[index] = UInt8(ascii: separator)
        while index > count {
            index -= 1
            buffer[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += width + 1
    }
}

private struct DigitReader<Text: Collection<UInt8>> {
    private var rest: Text.SubSequence

    init(_ text: Text) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    private mutating func digit() -> Int64? {
        guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        rest = rest.dropFirst()
        return Int64(byte - UInt8(ascii: "0"))
    }

    mutating func read(_ width: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<width {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    mutating func skip(_ expected: Unicode.Scalar, or alternative: Unicode.Scalar? = nil) -> Bool {
        guard let byte = rest.first else { return false }
        guard byte == UInt8(ascii: expected) || alternative.map({ byte == UInt8(ascii: $0) }) == true else {
            return false
        }
        rest = rest.dropFirst()
        return true
    }

    /// Milliseconds; 0 without a fraction.
    mutating func readFraction() -> Int64? {
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
    mutating func readOffset() -> Int64? {
        if skip("Z", or: "z") { return 0 }
        let sign: Int64
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = read(2), hours < 24, skip(":"), let minutes = read(2), minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes)
    }
}

extension Int64 {
    /// Rounds toward negative infinity, so that the remainder is never negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
