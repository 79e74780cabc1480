package import Inbox
import JSON

extension ExactText {
    /// Tells most texts apart at a fraction of the cost of hashing or comparing them.
    ///
    /// Chosen texts can collide. So it serves only texts from the operator's own publishers, a commit's worth of them.
    package var digest: UInt64 {
        text.withOctets { octets in
            let count = UInt64(octets.count)
            guard octets.count >= 8 else { return Self.mixed(octets.reduce(count) { $0 << 8 | UInt64($1) }) }
            // Spread first: otherwise a length could stand for another first octet.
            var digest = Self.mixed(count)
            // The last eight octets may overlap those before them.
            let last = octets.count - 8
            for place in stride(from: 0, to: last, by: 8) {
                digest = Self.mixed(digest ^ octets.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            }
            return Self.mixed(digest ^ octets.loadUnaligned(fromByteOffset: last, as: UInt64.self))
        }
    }

    /// Spreads a difference over all bits: a multiplication by an odd number alone carries it upwards only.
    private static func mixed(_ number: UInt64) -> UInt64 {
        let product = number &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 32
    }
}
