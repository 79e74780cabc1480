import Inbox
import JSON

/// A text cut to fit in a payload: see ``TextCut``.
struct ShortenedText {
    let text: String
    /// The length as JSON, with escapes and without quotes.
    let bytes: Int

    /// - Parameter maximumBytes: the longest length as JSON, without quotes.
    init(_ text: String, maximumBytes: Int) {
        let whole = Self.encodedBytes(text)
        guard whole > maximumBytes else {
            self.text = text
            bytes = whole
            return
        }
        self.text = TextCut.cut(text, to: maximumBytes, ellipsis: "…") { Self.encodedBytes(String($0)) }
        bytes = Self.encodedBytes(self.text)
    }

    private static func encodedBytes(_ text: String) -> Int { JSONValue.string(text).encoded.count - 2 }
}
