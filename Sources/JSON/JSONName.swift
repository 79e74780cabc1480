/// A member's name that is written many times; its JSON text is made once.
package struct JSONName: Sendable, Hashable {
    package let text: String
    /// With quotes and a colon.
    let encoded: [UInt8]

    package init(_ text: String) {
        self.text = text
        var json = JSONWriter()
        json.key(dynamic: text)
        encoded = json.bytes
    }
}
