import Inbox
import Testing

@testable import Gateway

struct LoadedCatalogsTests {
    static func catalog(_ name: String, event: String, text: String = "hello") -> String {
        """
        catalog: \(name)
        events: {\(event): {routes: [{to: people, type: SAID}]}}
        types: {SAID: {text: "\(text)"}}

        """
    }

    @Test func `a folder stands for the catalogs in it, by name, and for nothing else`() throws {
        let folder = try TemporaryFolder()
        try folder.file("b.yaml", Self.catalog("second", event: "b"))
        try folder.file("a.yml", Self.catalog("first", event: "a"))
        for other in [".hidden.yaml", "notes.txt", "a.yaml~"] { try folder.file(other, "no: catalog") }
        let catalogs = try LoadedCatalogs.read([folder.path, "\(folder.path)/b.yaml"])
        #expect(catalogs.sources.map(\.file) == ["\(folder.path)/a.yml", "\(folder.path)/b.yaml"])
        #expect(catalogs.names == ["first", "second"])
        #expect(catalogs.byApp.eventTypes == ["a", "b"])
    }

    @Test func `folders without any catalog are a mistake and not a server without events`() throws {
        let folder = try TemporaryFolder()
        try folder.file("notes.txt", "no catalog")
        let refused = #expect(throws: FileMistakes.self) { try LoadedCatalogs.read([folder.path]) }
        #expect(refused?.mistakes.map(\.file) == [folder.path])
    }

    @Test func `all mistakes of all files are told at once, and so are clashes between the good ones`() throws {
        let sources = [
            LoadedCatalogs.Source(file: "one.yaml", text: Self.catalog("one", event: "said")),
            .init(file: "two.yaml", text: Self.catalog("two", event: "said")),
            .init(file: "three.yaml", text: "catalog: three\nevents: {}\ntipes: {}\n"),
            .init(file: "four.yaml", text: "catalog: four\nevents: {}\ntypes: {X: {}}\n"),
        ]
        let mistakes = try #require(throws: FileMistakes.self) { try LoadedCatalogs(sources) }.mistakes
        #expect(Set(mistakes.map(\.file)) == ["two.yaml", "three.yaml", "four.yaml"])
        let misspelt = try #require(mistakes.first { $0.key == "tipes" })
        #expect((misspelt.file, misspelt.line) == ("three.yaml", 3))
        #expect(misspelt.description.hasPrefix("three.yaml:3: tipes: "))
        #expect(misspelt.message.contains("types"))
        #expect(mistakes.contains { $0.file == "four.yaml" && $0.key == "types.X" && $0.line == 3 })
        #expect(mistakes.contains { $0.key == "events.said" })
    }

    @Test func `a path with nothing behind it is a mistake of its own`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/missing.yaml"
        let mistakes = try #require(throws: FileMistakes.self) { try LoadedCatalogs.read([path]) }.mistakes
        #expect(mistakes.map(\.file) == [path])
        #expect(mistakes.map(\.line) == [nil])
    }

    @Test func `changed catalogs are told by name: new ones and those that read otherwise`() throws {
        func load(_ texts: String...) throws -> LoadedCatalogs {
            try LoadedCatalogs(texts.enumerated().map { .init(file: "\($0).yaml", text: $1) })
        }
        let (a, b) = (Self.catalog("a", event: "a"), Self.catalog("b", event: "b"))
        let before = try load(a, b)
        #expect(try load(b, a).changed(since: before) == [])
        #expect(try load(a, Self.catalog("b", event: "b", text: "bye")).changed(since: before) == ["b"])
        #expect(try load(a, b, Self.catalog("c", event: "c")).changed(since: before) == ["c"])
    }
}
