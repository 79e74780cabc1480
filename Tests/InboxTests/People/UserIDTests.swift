import Testing

@testable import Inbox

struct UserIDTests {
    @Test(arguments: [("K", "\u{212A}"), ("\u{E9}", "e\u{301}"), ("ada", "Ada")])
    func `ids that only look alike are different people`(_ one: String, _ other: String) throws {
        let people = [try #require(UserID(one)), try #require(UserID(other))]
        #expect(people[0] != people[1])
        #expect(Set(people).count == 2)
        #expect(Dictionary(people.map { ($0, $0.name.utf8.count) }) { first, _ in first }.count == 2)
    }

    @Test(arguments: ["a\nb", "a\tb", "\u{1B}[2J", "a\u{7F}", "\u{80}", "a\u{9F}b", "a\0"])
    func `an id with a control character is taken from nobody, and known if it was before`(_ text: String) {
        #expect(UserID(text) == nil)
        #expect(UserID(known: text)?.name == (text.contains("\0") ? nil : text))
    }

    @Test(arguments: ["a b", " a ", "~", "é", "Ā", "\u{A0}x", "日本", "👩‍💻", "a:b/c@d.e|f-g_h%20"])
    func `an id may be any other text`(_ text: String) {
        #expect(UserID(text)?.name == text)
    }

    @Test(arguments: [
        " ", "   ", "\u{A0}", "\u{3000}\u{2003}", "\u{200B}", "\u{FEFF}", "\u{200D}\u{2060}", "\u{AD}", "\u{115F}",
        "\u{2800}",
        "\u{E0001}",
        "\u{2028}", "a\u{2029}b", "al\u{202E}ice", "\u{202A}a\u{202C}", "\u{2066}a\u{2069}", "a\u{200E}", "a\u{200F}",
        "a\u{61C}",
    ])
    func `an id that shows nothing, or turns what stands beside it, is taken from nobody and known if it was`(
        _ text: String
    ) {
        #expect(UserID(text) == nil)
        #expect(!text.isName && !TopicName.isValid(text))
        #expect(UserID(known: text)?.name == text)
    }

    @Test func `the characters that count as control characters are Unicode's`() {
        for scalar in (0...0x2FF).compactMap(Unicode.Scalar.init) {
            let isControl = scalar.properties.generalCategory == .control
            for text in ["\(scalar)", "a\(scalar)b", "Â\(scalar)"] { #expect(text.hasControlCharacter == isControl) }
        }
        #expect(!"".hasControlCharacter)
    }

    @Test func `control characters are written out as JSON does, what is kept stays`() {
        #expect("a\u{1B}[1m\n\u{9B}".escapingControlCharacters == #"a\u001b[1m\u000a\u009b"#)
        #expect("\u{202E}evil\u{2066}\u{2028}\u{200F}".escapingControlCharacters == #"\u202eevil\u2066\u2028\u200f"#)
        #expect("a\u{1B}\n\t".escapingControlCharacters(except: ["\n"]) == "a\\u001b\n\\u0009")
        #expect("é 👩‍💻 \r\n".escapingControlCharacters == #"é 👩‍💻 \u000d\u000a"#)
    }

    @Test(arguments: [("", false), ("a", true), (String(repeating: "x", count: 201), false)])
    func `an id has one byte to 200`(_ text: String, _ isValid: Bool) {
        #expect((UserID(text) != nil) == isValid)
    }
}
