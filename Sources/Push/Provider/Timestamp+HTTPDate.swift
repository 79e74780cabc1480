package import Inbox

extension Timestamp {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads a date in the three forms of HTTP (RFC 9110 §5.6.7); nil for any other text: `Sun, 06 Nov 1994 08:49:37
    /// GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, `Sun Nov  6 08:49:37 1994`.
    ///
    /// The weekday is not checked.
    package init?(httpDate text: some StringProtocol) {
        var words = text.split(whereSeparator: { (letter: Character) in " ,-:".contains(letter) }).map { String($0) }
        if words.count == 7, Self.months.contains(words[1]) {
            // The third form, brought into the order of the others.
            words = [words[0], words[2], words[1], words[6], words[3], words[4], words[5], "GMT"]
        }
        guard words.count == 8, words[7] == "GMT", let month = Self.months.firstIndex(of: words[2]),
            let year = Self.year(words[3])
        else { return nil }
        // The time scale has no room for leap seconds.
        let second = words[6] == "60" ? "59" : words[6]
        let date = [year, Self.padded("\(month + 1)"), Self.padded(words[1])].joined(separator: "-")
        self.init(iso8601: "\(date)T\(words[4]):\(words[5]):\(second)Z")
    }

    /// Two digits mean this century, because such dates lie ahead.
    private static func year(_ text: String) -> String? {
        switch text.utf8.count {
        case 2: "20" + text
        case 4: text
        default: nil
        }
    }

    private static func padded(_ text: String) -> String { text.utf8.count == 1 ? "0" + text : text }
}
