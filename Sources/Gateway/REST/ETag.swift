import Inbox
import WireProtocol

/// An entity tag (RFC 9110 §8.8.3). An inbox's tag is its position: it changes exactly when the inbox does.
struct ETag {
    let text: String

    /// - Parameter text: with its quotes.
    init(text: String) { self.text = text }

    /// - Parameter asOf: the `seq` of a later page's snapshot; another snapshot of the same inbox gives other pages.
    init(_ state: InboxState, asOf: Int64? = nil) {
        let (seq, cut) = (String(state.seq), asOf.map { ".\($0)" } ?? "")
        let count = state.epoch.utf8.count + seq.utf8.count + cut.utf8.count + 3
        // Made in one piece: most answers to polls consist of little else, and a growing text costs a check for each
        // part.
        text = String(unsafeUninitializedCapacity: count) { bytes in
            var end = 0
            func put(_ part: String) {
                var part = part
                part.withUTF8 { end = bytes[end...].initialize(fromContentsOf: $0) }
            }
            put("\"")
            put(state.epoch)
            put(".")
            put(seq)
            put(cut)
            put("\"")
            return end
        }
    }

    /// Whether the client has this already, by its `If-None-Match`.
    func matches(_ header: String?) -> Bool {
        guard let header else { return false }
        return header == text || header == "*"
            || header.split(separator: ",").contains { entry in
                let tag = entry.drop { $0 == " " || $0 == "\t" }
                // A proxy may have made the tag weak, which does not matter in this comparison (RFC 9110 §13.1.2).
                return (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag).prefix { $0 != " " && $0 != "\t" } == text
            }
    }

    /// A response with this tag, or the answer to a client that has it already.
    ///
    /// - Parameter known: the request's `If-None-Match`.
    func answer(to known: String?, _ response: () -> HTTPResponse) -> HTTPResponse {
        matches(known) ? notModified : response().adding("ETag", text)
    }

    var notModified: HTTPResponse {
        var headers = HTTPHeaders()
        headers.add("ETag", text)
        return HTTPResponse(status: 304, headers: headers, body: [])
    }
}
