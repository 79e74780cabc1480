import Support
import Testing

@testable import SQLiteStore

struct PageChecksumTests {
    /// A page of this many bytes with its checksum.
    private static func page(_ count: Int = 4_096, number: Int64 = 7, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        var page = (0..<count).map { _ in UInt8(random.next(below: 256)) }
        page.withUnsafeMutableBytes { PageChecksum.write(to: $0, number: number) }
        return page
    }

    private static func isRight(_ page: [UInt8], number: Int64 = 7) -> Bool {
        page.withUnsafeBytes { PageChecksum.isRight($0, number: number) }
    }

    @Test(arguments: [512, 1_024, 4_096, 65_536])
    func `a page with its checksum is right, in its own place alone`(_ bytes: Int) {
        let page = Self.page(bytes)
        #expect(Self.isRight(page))
        for number in [0, 1, 6, 8, 7 << 32] as [Int64] { #expect(!Self.isRight(page, number: number)) }
    }

    @Test func `each flipped bit is found`() {
        var page = Self.page()
        for place in page.indices {
            for bit in 0..<8 {
                page[place] ^= 1 << bit
                #expect(!Self.isRight(page), "bit \(bit) of byte \(place)")
                page[place] ^= 1 << bit
            }
        }
        #expect(Self.isRight(page))
    }

    @Test func `the same bit flipped in two places is found, wherever they are`() {
        var page = Self.page()
        var random = SeededRandom(seed: 2)
        for _ in 0..<20_000 {
            let (one, other) = (random.next(below: page.count), random.next(below: page.count))
            guard one != other else { continue }
            let mask = UInt8(1 << random.next(below: 8))
            page[one] ^= mask
            page[other] ^= mask
            #expect(!Self.isRight(page), "\(mask) in \(one) and \(other)")
            page[one] ^= mask
            page[other] ^= mask
        }
    }

    @Test(arguments: [0x00, 0xFF] as [UInt8])
    func `a page that was never written, and a sector of one byte, are found`(_ byte: UInt8) {
        #expect(!Self.isRight([UInt8](repeating: byte, count: 4_096)))
        for sector in 0..<8 {
            var page = Self.page()
            page.replaceSubrange(sector * 512..<(sector + 1) * 512, with: repeatElement(byte, count: 512))
            #expect(!Self.isRight(page))
        }
    }

    @Test func `a page whose end is an older one's is found`() {
        let (new, old) = (Self.page(), Self.page(seed: 9))
        for sector in 1..<8 { #expect(!Self.isRight(Array(new[..<(sector * 512)] + old[(sector * 512)...]))) }
    }
}
