import Inbox
import JSON

// How ``RecentChanges`` writes a content: only what frames show of it. The store has the push text, batch and group.

extension Content {
    /// The most bytes that it takes.
    var maximumBytes: Int { 30 + type.utf8.count + displayText.utf8.count + body.count }
}

extension OutputSpan<UInt8> {
    mutating func append(_ content: Content) {
        append(text: content.type)
        append(text: content.displayText)
        appendVarint(UInt64(content.body.count))
        content.body.withUnsafeBufferPointer { append(copying: $0) }
    }

    private mutating func append(text: String) {
        let octets = text.utf8Span.span
        appendVarint(UInt64(octets.count))
        octets.withUnsafeBufferPointer { append(copying: $0) }
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns a content as frames show it; nil for other bytes, or a larger body.
    mutating func takeContent(maximumBodyBytes: Int) -> Content? {
        guard let type = takeBytes(), let displayText = takeBytes(), let body = takeBytes(),
            body.count <= maximumBodyBytes
        else { return nil }
        return Content(
            type: String(decoding: type, as: UTF8.self), displayText: String(decoding: displayText, as: UTF8.self),
            body: Array(body), batch: nil, push: nil)
    }
}
