/// An IPv4 or IPv6 address. An IPv4 address inside IPv6 (`::ffff:192.0.2.1`, RFC 4291 §2.5.5.2) equals the IPv4
/// address, so that a client is one client whatever the socket's family.
package struct IPAddress: Sendable, Hashable {
    /// The bits before the 32 bits of an IPv4 address.
    private static let mappedPrefix: UInt64 = 0xFFFF_0000_0000

    /// The 128 bits, in network order.
    package let high: UInt64
    package let low: UInt64

    /// An IPv6 address.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An IPv4 address, its first octet in the highest bits.
    package init(v4 bits: UInt32) { self.init(high: 0, low: Self.mappedPrefix | UInt64(bits)) }

    package var isV4: Bool { high == 0 && low & ~0xFFFF_FFFF == Self.mappedPrefix }

    /// The address with its bits behind the first `length` of 128 cleared; an IPv4 address has 96 bits before its own.
    func masked(to length: Int) -> IPAddress {
        let highMask = length >= 64 ? UInt64.max : ~(UInt64.max >> UInt64(length))
        let lowMask = length <= 64 ? 0 : length >= 128 ? UInt64.max : ~(UInt64.max >> UInt64(length - 64))
        return IPAddress(high: high & highMask, low: low & lowMask)
    }

    /// The address by which clients are counted: an IPv4 address, or an IPv6 network of 64 bits. A subscriber has at
    /// least one such network to choose addresses from (RFC 6177 §2).
    package var client: IPAddress { isV4 ? self : masked(to: 64) }

    /// Whether only this machine can reach the address.
    package var isLoopback: Bool { isV4 ? low & 0xFF00_0000 == 0x7F00_0000 : high == 0 && low == 1 }

    /// The eight groups of the IPv6 form.
    fileprivate var groups: [UInt16] {
        [high, low].flatMap { half in [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> UInt64($0)) } }
    }
}

extension IPAddress {
    /// Reads `192.0.2.1` or `2001:db8::1`, without brackets, port or zone.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        if bytes.contains(UInt8(ascii: ":")) {
            guard let groups = Self.groups(of: bytes[...]) else { return nil }
            let halves = [groups[..<4], groups[4...]].map { $0.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
            self.init(high: halves[0], low: halves[1])
        } else {
            guard let bits = Self.octets(of: bytes[...]) else { return nil }
            self.init(v4: bits)
        }
    }

    /// Reads four decimal numbers. Leading zeros are refused: `010` is 8 to some readers and 10 to others.
    private static func octets(of text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard 1...3 ~= part.count, part.allSatisfy(\.isDigit), part.count == 1 || part.first != UInt8(ascii: "0"),
                case let octet = part.reduce(UInt32(0), { $0 * 10 + UInt32($1 - 0x30) }), octet <= 255
            else { return nil }
            bits = bits << 8 | octet
        }
        return bits
    }

    /// Reads the forms of RFC 4291 §2.2: groups, one `::` for any number of them, IPv4 at the end.
    private static func groups(of text: ArraySlice<UInt8>) -> [UInt16]? {
        let colon = UInt8(ascii: ":")
        guard let gap = text.indices.dropLast().first(where: { text[$0] == colon && text[$0 + 1] == colon }) else {
            return plainGroups(of: text).flatMap { $0.count == 8 ? $0 : nil }
        }
        let (before, after) = (text[..<gap], text[(gap + 2)...])
        guard let first = before.isEmpty ? [] : plainGroups(of: before, endsAddress: false),
            let last = after.isEmpty ? [] : plainGroups(of: after), first.count + last.count < 8
        else { return nil }
        return first + [UInt16](repeating: 0, count: 8 - first.count - last.count) + last
    }

    private static func plainGroups(of text: ArraySlice<UInt8>, endsAddress: Bool = true) -> [UInt16]? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        // At most eight groups; a longer text is not worth reading.
        guard parts.count <= 8 else { return nil }
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if endsAddress, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let bits = octets(of: part) else { return nil }
                groups += [UInt16(bits >> 16), UInt16(truncatingIfNeeded: bits)]
            } else {
                let digits = part.compactMap(\.hexadecimalValue)
                guard 1...4 ~= part.count, digits.count == part.count else { return nil }
                groups.append(digits.reduce(0) { $0 << 4 | UInt16($1) })
            }
        }
        return groups
    }
}

extension IPAddress: CustomStringConvertible {
    /// The canonical form (RFC 5952 §4): the longest run of zero groups as `::`, digits in lower case.
    package var description: String {
        guard !isV4 else { return [24, 16, 8, 0].map { "\(low >> UInt64($0) & 0xFF)" }.joined(separator: ".") }
        let groups = groups
        var longest = 0..<0
        var start: Int?
        for index in 0...8 {
            if index < 8, groups[index] == 0 {
                start = start ?? index
            } else if let begin = start {
                // A single zero group is not shortened; of two equal runs the first one is.
                if index - begin > max(longest.count, 1) { longest = begin..<index }
                start = nil
            }
        }
        func text(_ groups: ArraySlice<UInt16>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        if longest.isEmpty { return text(groups[...]) }
        return "\(text(groups[..<longest.lowerBound]))::\(text(groups[longest.upperBound...]))"
    }
}
