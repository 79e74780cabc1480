import Inbox
import JSON
import Testing

/// How languages count, by Unicode CLDR.
struct PluralTests {
    static let forms: [(locale: String, counts: [Int64], form: PluralCategory)] = [
        ("en", [1], .one), ("en", [0, 2, 5, 11, 21, 100, 1_000, 1_000_001], .other),
        ("de", [1], .one), ("de", [0, 2, 21, 101], .other),
        ("fr", [0, 1], .one), ("fr", [2, 17, 999_999], .other), ("fr", [1_000_000], .many),
        ("pt-BR", [0, 1], .one), ("pt-BR", [2], .other),
        ("ru", [1, 21, 101, 1_001], .one), ("ru", [2, 3, 4, 22, 1_002], .few),
        ("ru", [0, 5, 11, 12, 14, 19, 20, 111, 1_011], .many),
        ("pl", [1], .one), ("pl", [2, 3, 4, 22, 104], .few), ("pl", [0, 5, 12, 14, 21, 25, 1_001], .many),
        ("ar", [0], .zero), ("ar", [1], .one), ("ar", [2], .two), ("ar", [3, 10, 103, 1_003], .few),
        ("ar", [11, 26, 99, 111, 1_011], .many), ("ar", [100, 102, 1_000, 1_002], .other),
        ("ja", [0, 1, 2, 100, 1_000_000], .other), ("ja-JP", [1], .other),
    ]

    @Test(arguments: forms)
    func `each language has a form for every number`(_ locale: String, _ counts: [Int64], _ form: PluralCategory) {
        for count in counts {
            #expect(PluralRules.of(locale).category(of: count) == form, "\(locale) \(count)")
        }
    }

    @Test(
        arguments: [
            ("en", [.one, .other]), ("ru", [.one, .few, .many, .other]), ("ja", [.other]),
            ("ar", [.zero, .one, .two, .few, .many, .other]), ("pl", [.one, .few, .many, .other]),
        ] as [(String, [PluralCategory])])
    func `a language knows which forms it tells apart`(_ locale: String, _ categories: [PluralCategory]) {
        #expect(PluralRules.of(locale).categories == categories)
    }

    // MARK: Batches

    private static func yaml(_ locale: String, text: String, nouns: String, separators: String) -> String {
        """
        catalog: rooms
        locale: \(locale)
        events: {added: {routes: [{to: all, type: ADDED}]}}
        types:
          ADDED:
            text: "\(text)"
            batch:
              {window: 5m, by: [], count: elements, kind: kind, separators: \(separators), nouns: {\(nouns)}}
        """
    }

    static let phrases: [(yaml: String, elements: [(kind: String, count: Int)], text: String)] = {
        let english = yaml(
            "en", text: "{{elements}} added",
            nouns: #"photo: {one: a photo, other: "{{count}} photos"}, note: {one: a note, other: "{{count}} notes"}"#,
            separators: #"[", ", " and "]"#)
        let russian = yaml(
            "ru", text: "Добавлено: {{elements}}",
            nouns: #"photo: {one: "{{count}} фотография", few: "{{count}} фотографии", many: "{{count}} фотографий", "#
                + #"other: "{{count}} фото"}, video: {other: "{{count}} видео"}, "#
                + #"note: {one: "{{count}} заметка", few: "{{count}} заметки", other: "{{count}} заметок"}"#,
            separators: #"[", ", " и "]"#)
        let polish = yaml(
            "pl", text: "Dodano {{elements}}",
            nouns:
                #"photo: {one: zdjęcie, few: "{{count}} zdjęcia", many: "{{count}} zdjęć", other: "{{count}} zdjęcia"}"#,
            separators: #"[", ", " i "]"#)
        let arabic = yaml(
            "ar", text: "{{elements}}",
            nouns:
                #"photo: {one: صورة, two: صورتان, few: "{{count}} صور", many: "{{count}} صورة", other: "{{count}} صورة"}"#,
            separators: #"["، ", " و"]"#)
        let japanese = yaml(
            "ja", text: "{{elements}}を追加しました",
            nouns: #"photo: "写真{{count}}枚", video: {other: "動画{{count}}本"}"#, separators: #"["、", "と"]"#)
        let german = yaml(
            "de", text: "{{elements}} hinzugefügt",
            nouns:
                #"photo: {one: ein Foto, other: "{{count}} Fotos"}, video: {one: ein Video, other: "{{count}} Videos"}"#,
            separators: #"[", ", " und "]"#)
        return [
            (english, [("photo", 1), ("note", 2)], "a photo and 2 notes added"),
            (russian, [("photo", 21), ("video", 3), ("note", 2)], "Добавлено: 21 фотография, 3 видео и 2 заметки"),
            (russian, [("note", 5), ("photo", 2)], "Добавлено: 5 заметок и 2 фотографии"),
            (russian, [("photo", 11)], "Добавлено: 11 фотографий"),
            (polish, [("photo", 1)], "Dodano zdjęcie"), (polish, [("photo", 3)], "Dodano 3 zdjęcia"),
            (polish, [("photo", 12)], "Dodano 12 zdjęć"),
            (arabic, [("photo", 2)], "صورتان"), (arabic, [("photo", 3)], "3 صور"), (arabic, [("photo", 11)], "11 صورة"),
            (japanese, [("photo", 1), ("video", 2)], "写真1枚と動画2本を追加しました"),
            (german, [("video", 1), ("photo", 20)], "ein Video und 20 Fotos hinzugefügt"),
        ]
    }()

    @Test(arguments: phrases)
    func `a batch of several kinds reads as its language has it`(
        _ yaml: String, _ elements: [(kind: String, count: Int)], _ text: String
    ) throws {
        let kinds = elements.flatMap { Array(repeating: $0.kind, count: $0.count) }
        let event = Event(
            type: "added", to: [.init(name: "all", users: Rooms.users("u"))], data: ["elements": Rooms.elements(kinds)])
        #expect(try Catalog(yaml: yaml, file: "c.yaml").content(event).displayText == text)
    }

    // MARK: Texts whose number comes later

    @Test(
        arguments: [
            (1, "one new round request"), (2, "2 new round requests"), (0, "0 new round requests"),
        ])
    func `a text that is kept chooses its form when the number is known`(_ count: Int, _ text: String) throws {
        let counted = CountedText(
            locale: "en", forms: [.one: ["one new round request"], .other: ["", " new round requests"]])
        #expect(counted.text(count: count) == text)
        let kept = try #require(CountedText(json: try JSONValue(parsing: counted.encoded)))
        #expect((kept, kept.text(count: count)) == (counted, text))
    }

    @Test func `a text kept before languages were told apart still reads`() throws {
        let kept = try #require(CountedText(json: ["", " people, ", " in all"]))
        #expect(kept.text(count: 12) == "12 people, 12 in all")
        #expect(try JSONValue(parsing: kept.encoded) == ["", " people, ", " in all"])
    }

    @Test(arguments: ["[]", "[1]", #""a""#, "{}", #"{"locale":"en"}"#, #"{"locale":"en","one":["a"]}"#])
    func `JSON that is no counted text is not read as one`(_ text: String) throws {
        #expect(CountedText(json: try JSONValue(parsing: text)) == nil)
    }
}
