import JSON

/// A text that is compared octet by octet, as the store does. Swift's strings are also equal if their characters are
/// equivalent, such as "K" and "\u{212A}".
package struct ExactText: Sendable, Hashable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (one: Self, other: Self) -> Bool {
        // Compared in place: reading octets through the string takes twenty times as long.
        one.text.withOctets { octets in other.text.withOctets { octets.hasSameOctets(as: $0) } }
    }

    package func hash(into hasher: inout Hasher) {
        text.withOctets { hasher.combine(bytes: $0) }
    }
}
