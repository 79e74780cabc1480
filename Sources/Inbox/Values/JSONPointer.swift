/// A place in a JSON document (RFC 6901): `/data/room/name`.
package struct JSONPointer: Sendable, Hashable {
    package private(set) var text = ""

    package init() {}

    private init(text: String) { self.text = text }

    /// The place of a member, or of an array's element by its index.
    package func appending(_ key: String) -> JSONPointer {
        // RFC 6901 §3: these two characters must be escaped, even if a combining mark follows.
        let escaped =
            key.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
            ? key.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined() : key
        return JSONPointer(text: text + "/" + escaped)
    }

    package func appending(_ path: some Sequence<String>) -> JSONPointer { path.reduce(self) { $0.appending($1) } }
}
