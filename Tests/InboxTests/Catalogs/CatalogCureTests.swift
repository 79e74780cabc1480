import Inbox
import Testing

/// Mistakes of a catalog's text, which its parser has words of its own for.
struct CatalogCureTests {
    private static func catalog(_ lines: String) -> String {
        "catalog: c\nevents:\n  e: {routes: [{to: all, type: X}]}\ntypes:\n  X:\n    category: a\n" + lines + "\n"
    }

    private static let braces = #"a text that begins with "{{" must be quoted: "{{path}} …""#
    private static let tab = "a tab; expected spaces instead of tabs"
    private static let colon = #"a text with ": " in it must be quoted: "…: …""#
    private static let end =
        #"the text ends before its line does; expected \" for a quotation mark within "…", and '' within '…'"#

    @Test(arguments: [
        (catalog("    text: {{messages}} in {{room.name}}"), "c.yaml:7: types.X.text: \(braces)"),
        (catalog("    text: {{messages}}"), "c.yaml:7: types.X.text: \(braces)"),
        (catalog("    text:   {{messages}}: new"), "c.yaml:7: types.X.text: \(braces)"),
        (catalog("    text: [{{a}} liked it, t]"), "c.yaml:7: types.X.text: \(braces)"),
        (catalog("    text: t\n    push: {title: {{a}} did, body: b}"), "c.yaml:8: types.X.push: \(braces)"),
        (
            catalog("    text: t\n    push:\n      title: {{a}} did\n      body: b"),
            "c.yaml:9: types.X.push.title: \(braces)"
        ),
        (catalog("    text:\n      - {{a}} did"), "c.yaml:8: types.X.text: \(braces)"),
        (catalog("\ttext: t"), "c.yaml:7: types.X.text: \(tab)"),
        (catalog("    text: t\n\tpush: {title: t, body: b}"), "c.yaml:8: types.X.push: \(tab)"),
        (catalog("    text:\n\t- t"), "c.yaml:8: types.X.text: \(tab)"),
        (catalog("    text: Zu prüfen: {{lab.test}}"), "c.yaml:7: types.X.text: \(colon)"),
        (
            catalog("    text: t\n    push:\n      title: Note: it\n      body: b"),
            "c.yaml:9: types.X.push.title: \(colon)"
        ),
        (
            catalog("    text: @{{user}} liked it"),
            #"c.yaml:7: types.X.text: a text that begins with "@" must be quoted: "@…""#
        ),
        (catalog("    text: %d"), #"c.yaml:7: types.X.text: a text that begins with "%" must be quoted: "%…""#),
        (catalog("    text: *new*"), #"c.yaml:7: types.X.text: a text that begins with "*" must be quoted: "*…""#),
        (catalog("    text: [new] room"), #"c.yaml:7: types.X.text: a text that begins with "[" must be quoted: "[…""#),
        (catalog("    text: 'It's done'"), "c.yaml:7: types.X.text: \(end)"),
        (catalog(#"    text: "He said "hi"""#), "c.yaml:7: types.X.text: \(end)"),
        (catalog(#"    text: "{{pet.name}""#), #"c.yaml:7: types.X.text: "}}" is missing: expected "{{pet.name}}""#),
        (
            catalog(#"    text: "{{pet.name} and {{x}}""#),
            #"c.yaml:7: types.X.text: "}}" is missing: expected "{{pet.name}}""#
        ),
        (catalog(#"    text: "{{pet.name""#), #"c.yaml:7: types.X.text: "}}" is missing: expected "{{pet.name}}""#),
        (catalog(#"    text: "a {{""#), #"c.yaml:7: types.X.text: "}}" is missing: expected "{{path}}""#),
        (
            catalog("    text: t\n    text: u"),
            "c.yaml:8: types.X.text: this key stands in line 7 already; expected each key once"
        ),
        (
            catalog("    push:\n      title: a\n      body: b\n\n      # the same\n      title: c\n    text: t"),
            "c.yaml:12: types.X.push.title: this key stands in line 8 already; expected each key once"
        ),
        (
            catalog("    text: t\n    push: {title: a, title: c, body: b}"),
            #"c.yaml:8: types.X.push: "title" stands twice in one mapping; expected each key once"#
        ),
    ])
    func `a mistake of the text tells its place and its cure`(_ yaml: String, _ message: String) throws {
        let error = try #require(throws: CatalogError.self) { try Catalog(yaml: yaml, file: "c.yaml") }
        #expect(error.description == message)
    }

    /// A mistake in the catalog's own text is told once, however many translations there are.
    @Test(arguments: [
        "text: \"{{room.nam}}\"", "text: t\n    groupText: {one: a}\n    group: g",
        "text: t\n    times: {at: {path: at, format: \"yyyy-MM\"}}", "text: \"{{pet.name}\"",
        "text: t\n    push: {title: \"{{at}\", body: b}", "text: t\n    parts: {a: \"{{x.y}}\", a b: c}",
        "text: t\n    batch: {window: 5m, by: [], count: at, nouns: {few: a, other: b}}",
        "text: t\n    words: {w: {path: n, of: {a: b}}}", "text: t\n    fields: {id: \"{{at}}\"}",
    ])
    func `a mistake is not repeated for each language`(_ lines: String) throws {
        let own = Self.catalog("    " + lines).replacing("{routes:", with: "{data: [at, room.name], routes:")
        let translated =
            own + "translations:\n" + ["de", "fr", "pt", "pt-BR"].map { "  \($0): {types: {X: {text: u}}}\n" }.joined()
        let alone = try #require(throws: CatalogError.self) { try Catalog(yaml: own, file: "c.yaml") }
        let among = try #require(throws: CatalogError.self) { try Catalog(yaml: translated, file: "c.yaml") }
        // A text that is translated is not read in that language.
        #expect(among.issues == alone.issues)
    }
}
