/// A part of a whole, from 0 to 1.
package struct Share: Sendable, Hashable {
    package let value: Double

    /// - Parameter value: from 0 to 1; others become the nearest of the two.
    package init(_ value: Double) { self.value = min(max(value, 0), 1) }
}

extension Share: SettingValue {
    static var expectation: String { "a number from 0 to 1, such as 0.01" }
    static var form: SettingForm { .share }

    init?(setting text: String) {
        // Digits and a point: no hexadecimal numbers, no infinity.
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".") }),
            let value = Double(text), 0...1 ~= value
        else { return nil }
        self.init(value)
    }

    /// `0` and `1` without a point.
    var settingText: String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}
