import JSON

/// A text that is equal to another only octet by octet, as the store compares: to Swift, strings of equivalent
/// characters are equal, "K" and "\u{212A}" among them.
package struct ExactText: Sendable, Hashable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (one: Self, other: Self) -> Bool {
        // Where the octets lie: reading them one by one through the string takes twenty times as long.
        one.text.withOctets { octets in other.text.withOctets { octets.hasSameOctets(as: $0) } }
    }

    package func hash(into hasher: inout Hasher) {
        text.withOctets { hasher.combine(bytes: $0) }
    }
}
