import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// The same as `elementsEqual`, which compares the octets one by one.
    func holdsSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count > 0, let ours = baseAddress, let theirs = other.baseAddress else { return true }
        return memcmp(ours, theirs, count) == 0
    }

    /// Whether all octets are visible ASCII and differ from `exception`.
    ///
    /// Takes eight at a time (Hacker's Delight, "Find First 0-Byte"): one by one takes longer than all other work on a
    /// path.
    func areVisible(butFor exception: UInt8) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs = ones << 7
        let bytes = UnsafeRawBufferPointer(self)
        var place = 0
        while place + 8 <= count {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let difference = word ^ (ones &* UInt64(exception))
            // An octet beyond 0x7F is found by itself, so neither borrow nor carry can hide another one.
            let isLow = (word &- ones &* 0x21) & ~word
            let isHigh = word | (word &+ ones)
            let isException = (difference &- ones) & ~difference
            guard (isLow | isHigh | isException) & highs == 0 else { return false }
            place += 8
        }
        return self[place...].allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != exception }
    }
}
