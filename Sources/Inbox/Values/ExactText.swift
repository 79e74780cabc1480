import JSON

/// A text that is equal to another only octet by octet, as the store compares: to Swift, strings of equivalent
/// characters are equal, "K" and "\u{212A}" among them.
package struct ExactText: Sendable, Hashable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (one: Self, other: Self) -> Bool {
        var (one, other) = (one.text, other.text)
        // Where the octets lie: reading them one by one through the string takes twenty times as long.
        return one.withUTF8 { one in
            other.withUTF8 { UnsafeRawBufferPointer(one).hasSameOctets(as: UnsafeRawBufferPointer($0)) }
        }
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
