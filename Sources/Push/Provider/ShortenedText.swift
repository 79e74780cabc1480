import Inbox
import JSON

/// A text cut to fit in a payload: see ``TextCut``.
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
        self.text = TextCut.cut(text, to: maximumBytes, ellipsis: "…") { Self.encodedBytes(String($0)) }
        bytes = Self.encodedBytes(self.text)
    }

    private static func encodedBytes(_ text: String) -> Int { JSONValue.string(text).encoded.count - 2 }
}
