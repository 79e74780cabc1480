import JSON
import Support
import Testing

@testable import Inbox

struct TextCutTests {
    /// Texts of many scripts and shapes, each longer than any maximum below.
    static let texts: [(name: String, text: String)] = [
        ("English", long("It was a bright cold day in April, and the clocks were striking thirteen. ")),
        ("German", long("Die Donaudampfschifffahrtsgesellschaftskapitänswitwe fährt heim. ")),
        ("Japanese", long("昨日の予防接種のあとで、犬が元気になりました。「よかった」と思います。")),
        ("Chinese", long("这是一个测试，我们来看看它在哪里被截断。")),
        ("Thai", long("สวัสดีครับวันนี้อากาศดีมากเลยเราไปเที่ยวทะเลกันไหม")),
        ("Khmer", long("ខ្ញុំចង់ទៅផ្ទះថ្ងៃនេះជាមួយមិត្តភក្តិ")),
        ("Korean", long("어제 예방접종을 맞고 강아지가 건강해졌어요. ")),
        ("Arabic", long("كان يوما باردا مشرقا من أيام نيسان، وكانت الساعات تدق الثالثة عشرة. ")),
        ("Hebrew", long("היה יום קר ובהיר באפריל, והשעונים הראו שלוש עשרה. ")),
        ("Hindi", long("अप्रैल का एक चमकीला ठंडा दिन था और घड़ियाँ तेरह बजा रही थीं। ")),
        ("a link", "see https://example.com/" + String(repeating: "abcdefghij", count: 40)),
        ("a link with folders", "see " + long("https://example.com/photos/2025/")),
        ("a link with a query", "x https://example.com?" + long("token=0123456789abcdef&")),
        ("one word", String(repeating: "a", count: 400)),
        ("a word and one word", "Pete: " + String(repeating: "b", count: 400)),
        ("families", String(repeating: "👨‍👩‍👧‍👦", count: 400)),
        ("flags", String(repeating: "🇮🇹🇫🇷", count: 200)),
        ("skin tones", long("👍🏽👋🏿 ok ")),
        ("combining marks", String(repeating: "e\u{301}\u{323}", count: 400)),
        ("Devanagari without blanks", String(repeating: "क्ष्मि", count: 200)),
        ("no-break spaces", long("10\u{A0}km\u{A0}and\u{A0}more")),
        ("blanks", "a" + String(repeating: " ", count: 400) + "b"),
        ("brackets and quotes", long("( \"one\" [two] ) « trois » ")),
        ("lines", long("one\ntwo\r\n")),
        ("a mixture", "@sarah " + long("昨日の予防接種 and สวัสดีครับ 👩‍👩‍👧 ")),
    ]

    private static func long(_ text: String) -> String {
        String(repeating: text, count: 400 / text.count + 1)
    }

    private static let maxima = [0, 1, 2, 3, 4, 5, 7, 10, 20, 24, 60, 100, 177, 178]

    @Test(arguments: texts)
    func `a cut keeps whole characters, counts the ellipsis, and gives up little`(_ name: String, _ text: String) {
        let all = Array(text)
        for maximum in Self.maxima {
            let cut = TextCut(maximum: maximum).cut(text)
            #expect(cut.count <= maximum, "\(maximum)")
            guard maximum > 0 else { continue }
            #expect(cut.last == "…")
            let kept = Array(cut.dropLast())
            #expect(kept == Array(all.prefix(kept.count)), "\(maximum)")
            // A cut may give up the rest of a word, and the blanks before it.
            let room = all.prefix(maximum - 1)
            let blanks = room.reversed().prefix(while: \.isWhitespace).count
            #expect(kept.count >= room.count - min(room.count / 2, 24) - blanks, "\(maximum): \(cut)")
        }
    }

    @Test(arguments: [
        (9, "昨日の予防接種で、犬が", "昨日の予防接種…"),
        (3, "昨日の予防接種", "昨日…"),
        (10, "昨日の予防接種で、犬が", "昨日の予防接種で、…"),
        (11, "昨日の予防接種で、犬が元気", "昨日の予防接種で、犬…"),
        (14, "สวัสดีครับวันนี้อากาศดีมาก", "สวัสดีครับวันนี้…"),
        (20, "hello, wide world of words", "hello, wide world…"),
        (21, "https://example.com/a/b/cde", "https://example.com/…"),
        (12, "one word of\u{A0}it and more", "one word…"),
        (6, "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦…"),
        (1, "two", "…"),
        (0, "two", ""),
        (3, "two", "two"),
        (0, "", ""),
    ])
    func `a cut is where the script breaks`(_ maximum: Int, _ text: String, _ expected: String) {
        #expect(TextCut(maximum: maximum).cut(text) == expected)
    }

    @Test func `an ellipsis of several characters counts with all of them, and may be none`() {
        #expect(TextCut(maximum: 10, ellipsis: "...").cut("one two three") == "one two...")
        #expect(TextCut(maximum: 20, ellipsis: "").cut("Broken freezer compressor") == "Broken freezer")
        #expect(TextCut(maximum: 2, ellipsis: "...").cut("one two three") == "")
        #expect(TextCut(maximum: 3, ellipsis: "...").cut("one two three") == "...")
    }

    /// The quick way is the slow one's result wherever it has an answer.
    @Test func `words of ASCII are cut where Unicode's rules cut them`() {
        var generator = SeededRandom(seed: 20)
        let alphabet = Array("abcXYZ019      .,-/()\"'")
        var answered = 0
        for _ in 0..<3_000 {
            let text = String((0..<60).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] })
            let end = text.index(text.startIndex, offsetBy: Int.random(in: 1..<59, using: &generator))
            let most = Int.random(in: 0...24, using: &generator)
            let slow = TextCut.linesEnd(in: text, before: end)
            switch TextCut.plainPlace(in: text, before: end, most) {
            case .behind(let place):
                answered += 1
                #expect(place == slow, "\(text)|\(text[..<end])")
            case .tooFar:
                answered += 1
                #expect(slow.map { text.distance(from: $0, to: end) > most } ?? true, "\(text)|\(text[..<end])")
            case .unknown: break
            }
        }
        #expect(answered > 300)
    }

    @Test(arguments: texts)
    func `a cut by bytes follows the same rule`(_ name: String, _ text: String) {
        func bytes(_ text: String) -> Int { JSONValue.string(text).encoded.count - 2 }
        for maximum in [0, 1, 2, 3, 4, 30, 200, 400] {
            let cut = TextCut.cut(text, to: maximum, ellipsis: "…") { bytes(String($0)) }
            #expect(bytes(cut) <= maximum)
            #expect(cut.isEmpty == (maximum < 3))
            let kept = Array(cut.dropLast())
            #expect(kept == Array(text.prefix(kept.count)))
            guard kept.count > 1 else { continue }
            let room = text.prefix { _ in true }.prefix(kept.count + 80)
            let fitting = (kept.count...room.count).last { bytes(String(text.prefix($0))) <= maximum - 3 } ?? kept.count
            let blanks = text.prefix(fitting).reversed().prefix(while: \.isWhitespace).count
            #expect(kept.count >= fitting - min(fitting / 2, 24) - blanks, "\(maximum): \(cut)")
        }
    }

    @Test func `a pair of direction controls that was cut in two goes as a whole`() {
        #expect(TextCut(maximum: 10).cut("one \u{2067}two three\u{2069} four") == "one two…")
        #expect(TextCut(maximum: 12).cut("\u{2067}one\u{2069} two three four") == "\u{2067}one\u{2069} two…")
    }
}
