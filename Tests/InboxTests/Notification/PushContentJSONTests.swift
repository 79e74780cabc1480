import Inbox
import JSON
import Support
import Testing

/// The form in which a store keeps what a push says.
struct PushContentJSONTests {
    @Test(arguments: 0..<200)
    func `all parts of a push survive the store's form`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let push = PushContent.any(using: &random)
        #expect(PushContent(json: try JSONValue(parsing: push.encoded)) == push)
    }

    @Test func `a content that was kept before there was more to say reads as the usual`() throws {
        let old = #"{"title":"t","body":"b","group":null,"urgency":"low","badge":"boolean","data":{"type":"X"}}"#
        let expected = PushContent(
            title: "t", body: "b", group: nil, urgency: .low, badge: .boolean, data: ["type": "X"], app: "",
            sound: "default", image: nil, actions: nil, replaceKey: nil, isMutable: false, wakesApp: false,
            summary: nil)
        #expect(PushContent(json: try JSONValue(parsing: old)) == expected)
        #expect(expected.encoded == Array(old.utf8))
    }

    @Test(arguments: [
        #"{"title":"t"}"#, #"[]"#,
        #"{"title":"t","body":"b","urgency":"loud","badge":"unread","data":{}}"#,
        #"{"title":"t","body":"b","urgency":"low","badge":"most","data":{}}"#,
    ])
    func `JSON that is no push is not read as one`(_ text: String) throws {
        #expect(PushContent(json: try JSONValue(parsing: text)) == nil)
    }
}

extension PushContent {
    /// Any push, each of its members there or not.
    fileprivate static func any(using random: inout SeededRandom) -> PushContent {
        PushContent(
            title: text(using: &random), body: text(using: &random), group: maybe(using: &random),
            urgency: [.low, .normal, .urgent].randomElement(using: &random) ?? .normal,
            badge: BadgeRule.allCases.randomElement(using: &random) ?? .unread,
            data: ["type": "X", "n": .int(Int64.random(in: -9...9, using: &random)), "on": .bool(true)],
            app: Bool.random(using: &random) ? "" : text(using: &random),
            sound: Bool.random(using: &random) ? "default" : maybe(using: &random),
            growthSound: maybe(using: &random), image: maybe(using: &random),
            actions: maybe(using: &random), replaceKey: maybe(using: &random),
            isMutable: Bool.random(using: &random), wakesApp: Bool.random(using: &random),
            summary: Bool.random(using: &random)
                ? nil : Summary(title: counted(using: &random), body: counted(using: &random)),
            digest: Bool.random(using: &random)
                ? nil : Summary(title: counted(using: &random), body: counted(using: &random)),
            groupText: Bool.random(using: &random) ? nil : counted(using: &random), terms: terms(using: &random))
    }

    private static func terms(using random: inout SeededRandom) -> PushTerms {
        PushTerms(
            category: maybe(using: &random),
            preferences: ChannelPreferences(
                inApp: Bool.random(using: &random), push: Bool.random(using: &random),
                isRequired: Bool.random(using: &random)),
            subjects: (0..<random.next(below: 3)).map { _ in
                (0..<random.next(below: 3)).map { _ in text(using: &random) }
            })
    }

    private static func counted(using random: inout SeededRandom) -> CountedText {
        let isOfPeople = Bool.random(using: &random)
        if Bool.random(using: &random) {
            return CountedText(pieces: pieces(using: &random), isOfPeople: isOfPeople)
        }
        var forms: [PluralCategory: [String]] = [.other: pieces(using: &random)]
        for category in PluralCategory.allCases where Bool.random(using: &random) {
            forms[category] = pieces(using: &random)
        }
        return CountedText(
            locale: ["en", "ru", "ar"].randomElement(using: &random) ?? "en", forms: forms, isOfPeople: isOfPeople)
    }

    private static func pieces(using random: inout SeededRandom) -> [String] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in text(using: &random) }
    }

    private static func maybe(using random: inout SeededRandom) -> String? {
        Bool.random(using: &random) ? nil : text(using: &random)
    }

    private static func text(using random: inout SeededRandom) -> String {
        let alphabet = Array("ab \"\\/\n\t\u{0}\u{1}é日👩‍👩‍👧{}[],:")
        return String(
            (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) })
    }
}
