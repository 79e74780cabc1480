import JSON

/// A text that is equal to another only octet by octet, as the store compares: to Swift, strings of equivalent
/// characters are equal, "K" and "\u{212A}" among them.
package struct ExactText: Sendable, Hashable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (one: Self, other: Self) -> Bool {
        // Where the octets lie: reading them one by one through the string takes twenty times as long, and a copy of the
        // string for `withUTF8` is counted by all threads that have it.
        let (octets, others) = (one.text.utf8Span.span, other.text.utf8Span.span)
        return octets.withUnsafeBytes { octets in others.withUnsafeBytes { octets.hasSameOctets(as: $0) } }
    }

    package func hash(into hasher: inout Hasher) {
        text.utf8Span.span.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
