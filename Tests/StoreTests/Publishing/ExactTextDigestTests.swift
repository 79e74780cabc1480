import Inbox
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct ExactTextDigestTests {
    @Test func `is the same for the same octets, wherever they lie`() {
        let key = "bench-00c0ffee-000000042"
        let copy = String(decoding: Array(key.utf8), as: UTF8.self)
        let part = String("a \(key) z".dropFirst(2).dropLast(2))
        #expect(ExactText(copy).digest == ExactText(key).digest)
        #expect(ExactText(part).digest == ExactText(key).digest)
    }

    /// Each octet counts, and each place, whether a text is shorter than a word, as long, or longer.
    @Test(arguments: [1, 2, 7, 8, 9, 15, 16, 17, 27, 64])
    func `tells texts apart that differ in one octet, or in their length`(_ count: Int) {
        let plain = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        var texts = [plain, plain + [UInt8(ascii: "a")], Array(plain.dropLast())]
        for place in plain.indices {
            var text = plain
            text[place] = UInt8(ascii: "b")
            texts.append(text)
        }
        let digests = Set(texts.map { ExactText(String(decoding: $0, as: UTF8.self)).digest })
        #expect(digests.count == texts.count)
    }

    @Test func `numbers that count up have digests of their own`() {
        let digests = Set((0..<100_000).map { ExactText("bench-00c0ffee-\(1_000_000 + $0)").digest })
        #expect(digests.count == 100_000)
    }
}
