import Inbox
import Logging
import Transport

/// A value that is one word in a file, a variable or a flag.
protocol SettingValue: Sendable {
    /// The expected form, for an error message.
    static var expectation: String { get }
    /// What editors and other programs may know of the form.
    static var form: SettingForm { get }
    init?(setting text: String)
    var settingText: String { get }
}

/// The form of a setting's value in a file.
enum SettingForm: Sendable {
    case text, truth, duration
    /// A file's mode, in octal digits.
    case mode
    /// A whole number; nil for any.
    case number(atLeast: Int?)
    /// A number from 0 to 1.
    case share
    /// One of a few words.
    case choice([String])
}

extension SettingValue {
    static var form: SettingForm { .text }
}

extension String: SettingValue {
    static var expectation: String { "a text" }
    init?(setting text: String) { self = text }
    var settingText: String { self }
}

extension Bool: SettingValue {
    static var expectation: String { "true or false" }
    static var form: SettingForm { .truth }
    init?(setting text: String) { self.init(text.lowercased()) }
    var settingText: String { description }
}

extension Int: SettingValue {
    static var expectation: String { "a whole number" }
    static var form: SettingForm { .number(atLeast: nil) }
    init?(setting text: String) { self.init(text) }
    var settingText: String { description }
}

extension Secret: SettingValue {
    static var expectation: String { "a text" }
    init?(setting text: String) { self.init(text) }
    var settingText: String { description }
}

extension AppBundle: SettingValue {
    static var expectation: String { "app=bundle id, such as rooms=com.example.rooms" }

    init?(setting text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(app: String(parts[0]), bundleID: String(parts[1]))
    }

    var settingText: String { "\(app)=\(bundleID)" }
}

extension FileMode: SettingValue {
    static var expectation: String { "an octal file mode such as 0660" }
    static var form: SettingForm { .mode }

    init?(setting text: String) {
        guard text.utf8.count <= 4, let bits = UInt32(text, radix: 8), bits <= 0o777 else { return nil }
        self.init(bits: bits)
    }

    var settingText: String { "0" + String(bits, radix: 8) }
}

extension SocketAddress: SettingValue {
    static var expectation: String { "an address such as 127.0.0.1:8080" }
    init?(setting text: String) { self.init(text) }
    var settingText: String { if case .unix(let path) = self { "unix:\(path)" } else { description } }
}

extension Duration: SettingValue {
    static var expectation: String { "a duration such as 250ms, 4s, 5m, 24h or 7d" }
    static var form: SettingForm { .duration }

    private static let units = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
    /// Longer ones are typing mistakes, and sums with the clock must not overflow.
    private static let maximumMilliseconds = 3_650 * 86_400_000

    package init?(setting text: String) {
        let digits = text.prefix(while: \.isNumber)
        guard let unit = Self.units.first(where: { $0.0 == text.dropFirst(digits.count) }), let count = Int(digits),
            count <= Self.maximumMilliseconds / unit.1
        else { return nil }
        self = .milliseconds(count * unit.1)
    }

    /// In the largest unit that leaves no fraction.
    package var settingText: String {
        let total = Int(milliseconds)
        let unit = Self.units.last { total % $0.1 == 0 && total >= $0.1 } ?? ("s", 1_000)
        return "\(total / unit.1)\(unit.0)"
    }
}

/// A choice of words: the cases themselves.
extension SettingValue where Self: RawRepresentable<String> & CaseIterable {
    static var expectation: String { allCases.map(\.rawValue).joined(separator: ", ") }
    static var form: SettingForm { .choice(allCases.map(\.rawValue)) }
    init?(setting text: String) { self.init(rawValue: text) }
    var settingText: String { rawValue }
}

extension Logger.Level: SettingValue {}
extension SigningAlgorithm: SettingValue {}
extension Settings.PollerChoice: SettingValue {}
extension Settings.Feeds.Undeclared: SettingValue {}
extension Settings.TLS.Version: SettingValue {}
extension Settings.Log.Format: SettingValue {}
