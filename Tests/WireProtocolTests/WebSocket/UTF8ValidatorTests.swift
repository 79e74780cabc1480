import Support
import Testing

@testable import WireProtocol

struct UTF8ValidatorTests {
    static let interesting: [[UInt8]] = [
        [], [0x41], [0x7F], [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2, 0x80], [0xDF, 0xBF], [0xC2],
        [0xC2, 0xC2],
        [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE0, 0xA0, 0x80], [0xE1, 0x80, 0x80], [0xE2, 0x82],
        [0xEC, 0xBF, 0xBF],
        [0xED, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF],
        [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF3, 0xBF, 0xBF, 0xBF],
        [0xF4, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        [0xF0, 0x9F, 0x94], Array("κόσμε 🔔 abcdefghijklmnop é".utf8),
    ]

    func isValid(_ pieces: [ArraySlice<UInt8>]) -> Bool {
        var validator = UTF8Validator()
        return pieces.allSatisfy { piece in piece.withUnsafeBytes { validator.consume($0) } } && validator.isComplete
    }

    func isValidToSwift(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

    @Test(arguments: interesting)
    func `agrees with the standard library before, between and after other text at every split`(_ bytes: [UInt8]) {
        for before in ["", "a", "1234567", "12345678", "é"] {
            for after in ["", "b", "1234567890"] {
                let text = Array(before.utf8) + bytes + Array(after.utf8)
                let expected = isValidToSwift(text)
                for split in 0...text.count {
                    #expect(isValid([text[..<split], text[split...]]) == expected, "\(text) at \(split)")
                }
                #expect(isValid(text.map { [$0][...] }) == expected)
            }
        }
    }

    @Test func `agrees with the standard library on every two bytes and every three that begin a character`() {
        var differences = 0
        for first in UInt8.min ... .max {
            for second in UInt8.min ... .max where isValid([[first, second]]) != isValidToSwift([first, second]) {
                differences += 1
            }
        }
        for first in UInt8(0xE0)...0xF5 {
            for second in UInt8.min ... .max {
                for third: UInt8 in [0x00, 0x7F, 0x80, 0xBF, 0xC0] {
                    let three = [first, second, third]
                    if isValid([three[...]]) != isValidToSwift(three) { differences += 1 }
                    if isValid([three[...], [0x80]]) != isValidToSwift(three + [0x80]) { differences += 1 }
                }
            }
        }
        #expect(differences == 0)
    }

    @Test func `agrees with the standard library on generated text with faults`() {
        var random = SeededRandom(seed: 7)
        let scalars: [Unicode.Scalar] = ["a", "Z", "é", "ß", "€", "한", "\u{FFFD}", "🔔", "\u{10FFFF}", "\u{0}"]
        for _ in 0..<2000 {
            var bytes = (0..<random.next(below: 12)).flatMap { _ in
                Array(String(scalars[random.next(below: scalars.count)]).utf8)
            }
            if !bytes.isEmpty, random.next(below: 2) == 0 {
                bytes[random.next(below: bytes.count)] = UInt8(random.next(below: 256))
            }
            let expected = isValidToSwift(bytes)
            let split = random.next(below: bytes.count + 1)
            #expect(isValid([bytes[..<split], bytes[split...]]) == expected, "\(bytes) at \(split)")
        }
    }

    @Test(
        arguments: [
            ([0xC0], 0), ([0x41, 0xE0, 0x80], 2), ([0xED, 0xA0], 1), ([0xF0, 0x8F], 1), ([0xF4, 0x90], 1),
            ([0xF0, 0x9F, 0x94, 0x41], 3), ([0xCE, 0xBA, 0xFF], 2),
        ] as [([UInt8], Int)])
    func `fails at the octet that breaks the text`(_ bytes: [UInt8], at index: Int) {
        var validator = UTF8Validator()
        #expect(bytes[..<index].withUnsafeBytes { validator.consume($0) })
        #expect(!bytes[index...index].withUnsafeBytes { validator.consume($0) })
    }
}
