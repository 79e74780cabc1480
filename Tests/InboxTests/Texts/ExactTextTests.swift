import Inbox
import Testing

@Suite struct ExactTextTests {
    @Test func `texts are equal octet by octet, wherever they differ`() {
        let texts = [
            "", "a", "b", "seven77", "eight888", "nine99999", "twenty one octets ok!", "twenty one octets ok?",
        ]
        for one in texts {
            for other in texts {
                // Not the same string in memory.
                let copy = String(decoding: Array(other.utf8), as: UTF8.self)
                #expect((ExactText(one) == ExactText(copy)) == (Array(one.utf8) == Array(other.utf8)))
            }
        }
        for place in 0..<24 {
            var octets = Array(repeating: UInt8(ascii: "x"), count: 24)
            let text = ExactText(String(decoding: octets, as: UTF8.self))
            octets[place] = UInt8(ascii: "y")
            #expect(text != ExactText(String(decoding: octets, as: UTF8.self)))
        }
    }

    @Test func `a text that only reads the same is another text`() {
        #expect(ExactText("K") != ExactText("\u{212A}"))
        #expect(ExactText("é") != ExactText("e\u{301}"))
        #expect(ExactText("a\u{323}\u{307}") != ExactText("a\u{307}\u{323}"))
    }
}
