/// The last eight bytes of each page: a hash of the page's number and of all bytes before them.
///
/// It changes with any change within eight neighbouring bytes, and with nearly all others. It is not made against
/// somebody who wants two pages with the same one. It is never 0, which stands for a page without one. Stores hold these
/// hashes, so they never change.
enum PageChecksum {
    /// As many bytes SQLite leaves at the end of each page (fileformat2.html §1.3.4).
    static let bytes = 8

    /// - Parameters:
    ///   - page: at least 512 bytes, a multiple of 32.
    ///   - number: of the page, from 1 on: a page in the wrong place is damage, too.
    static func of(_ page: UnsafeRawBufferPointer, number: Int64) -> UInt64 {
        let seed = (UInt64(bitPattern: number) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        // Four at a time, as each step waits for the one before it.
        var (one, two, three, four) = (seed, ~seed, seed ^ 0x5555_5555_5555_5555, ~seed ^ 0x5555_5555_5555_5555)
        // Without a check of each access: it is called for every page that is read.
        guard let start = page.baseAddress else { return 1 }
        let end = page.count - bytes
        var place = 0
        while place + 32 <= end {
            one = mixed(one, word(start + place))
            two = mixed(two, word(start + place + 8))
            three = mixed(three, word(start + place + 16))
            four = mixed(four, word(start + place + 24))
            place += 32
        }
        while place < end {
            one = mixed(one, word(start + place))
            place += 8
        }
        return max(1, mixed(mixed(mixed(one, two), three), four))
    }

    /// What a page ends with; 0 for a page without a checksum.
    static func told(by page: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(littleEndian: page.loadUnaligned(fromByteOffset: page.count - bytes, as: UInt64.self))
    }

    /// Whether the page ends with its own checksum.
    static func isRight(_ page: UnsafeRawBufferPointer, number: Int64) -> Bool {
        told(by: page) == of(page, number: number)
    }

    /// Writes the page's checksum to its end.
    static func write(to page: UnsafeMutableRawBufferPointer, number: Int64) {
        let sum = of(UnsafeRawBufferPointer(page), number: number)
        page.storeBytes(of: sum.littleEndian, toByteOffset: page.count - bytes, as: UInt64.self)
    }

    private static func word(_ place: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
    }

    /// Each step can be undone, whichever of the two is known: so none loses a difference.
    private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word) &* 0xFF51_AFD7_ED55_8CCD
        return product ^ product >> 32
    }
}
