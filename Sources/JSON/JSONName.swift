/// A member's name that is written many times, with its JSON text made once.
package struct JSONName: Sendable, Hashable {
    package let text: String
    /// With quotes, and the colon behind it.
    let encoded: [UInt8]

    package init(_ text: String) {
        self.text = text
        var json = JSONWriter()
        json.key(dynamic: text)
        encoded = json.bytes
    }
}
