import JSON

/// A text cut to fit in a payload, between two characters as people see them, with an ellipsis where it was cut.
struct ShortenedText {
    let text: String
    /// Its length as JSON, escapes counted and quotes not.
    let bytes: Int

    /// - Parameter maximumBytes: what it may take as JSON, quotes not counted.
    init(_ text: String, maximumBytes: Int) {
        let whole = Self.encodedBytes(text)
        guard whole > maximumBytes else {
            self.text = text
            bytes = whole
            return
        }
        let ellipsis = "…"
        let room = maximumBytes - ellipsis.utf8.count
        var taken = 0
        var end = text.startIndex
        while end < text.endIndex {
            let size = Self.encodedBytes(String(text[end]))
            guard taken + size <= room else { break }
            taken += size
            end = text.index(after: end)
        }
        self.text = room < 0 ? "" : text[..<end] + ellipsis
        bytes = room < 0 ? 0 : taken + ellipsis.utf8.count
    }

    private static func encodedBytes(_ text: String) -> Int { JSONValue.string(text).encoded.count - 2 }
}
