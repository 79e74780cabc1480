/// Some days of the week.
package struct Weekdays: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let all = Weekdays(rawValue: 0b111_1111)

    /// From Monday on, in the form that settings use.
    package static let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// - Parameter name: one of the ``names``.
    package init?(name: String) {
        guard let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: 1 << UInt8(index))
    }

    package var names: [String] {
        Self.names.enumerated().filter { rawValue & 1 << UInt8($0.offset) != 0 }.map(\.element)
    }

    /// Whether the day is among them.
    /// - Parameter day: counted from 1970-01-01, which was a Thursday.
    func contains(day: Int64) -> Bool {
        let index = ((day + 3) % 7 + 7) % 7
        return rawValue & 1 << UInt8(index) != 0
    }
}
