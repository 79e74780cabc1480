/// A text that is equal to another only octet by octet, as the store compares: to Swift, strings of equivalent
/// characters are equal, "K" and "\u{212A}" among them.
package struct ExactText: Sendable, Hashable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (one: Self, other: Self) -> Bool {
        var (one, other) = (one.text, other.text)
        // Where the octets lie: reading them one by one through the string takes twenty times as long.
        return one.withUTF8 { one in
            other.withUTF8 { other in areEqual(UnsafeRawBufferPointer(one), UnsafeRawBufferPointer(other)) }
        }
    }

    /// Eight octets at a time: users and keys are looked up by the thousand in a commit.
    private static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard one.count == other.count else { return false }
        var place = 0
        while place + 8 <= one.count {
            guard
                one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    == other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            else { return false }
            place += 8
        }
        while place < one.count {
            guard one[place] == other[place] else { return false }
            place += 1
        }
        return true
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
