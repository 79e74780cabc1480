import Foundation
import Testing

@testable import Gateway

@Suite struct `A file of the operator` {
    static let catalog = """
        catalog: NAME
        events: {EVENT: {routes: [{to: owner, type: LIKED}]}}
        types: {LIKED: {text: "{{actor}} liked it"}}

        """

    func text(_ name: String, _ event: String) -> String {
        Self.catalog.replacing("NAME", with: name).replacing("EVENT", with: event)
    }

    @Test func `is told apart by its keys, and good ones have no problems`() throws {
        let folder = try TemporaryFolder()
        let files = [
            try folder.file("a.yaml", text("rooms", "room_liked")), try folder.file("b.yaml", "live:\n  heartbeat: 5s"),
        ]
        let reports = FileCheck(paths: files).reports
        #expect(reports.map(\.file) == files)
        #expect(reports.map(\.summary) == ["rooms, events: 1, types: 1, no translations", nil])
        #expect(reports.flatMap(\.problems) == [])
    }

    @Test func `has its own problems, each with file and line`() throws {
        let folder = try TemporaryFolder()
        let files = [
            try folder.file("a.yaml", "catalog: rooms\ntypes: {}\nevent: {}\n"),
            try folder.file("b.yaml", "listen: x\nlive:\n  heartbeet: 5s\n"),
        ]
        let reports = FileCheck(paths: files + ["\(folder.path)/missing.yaml"]).reports
        #expect(reports[0].problems.contains { $0.hasPrefix("\(files[0]):3: event") })
        #expect(reports[1].problems.count == 2)
        #expect(reports[1].problems.allSatisfy { $0.hasPrefix("\(files[1]):") })
        #expect(reports[2].problems.count == 1)
    }

    @Test(arguments: [
        ("push:\n  apns:\n    endpoint: http://localhost:1\n", "push.apns.endpoint"),
        ("push:\n  fcm:\n    endpoint: http://localhost:1\n", "push.fcm.endpoint"),
        ("push:\n  oneSignal:\n    endpoint: http://localhost:1\n", "push.oneSignal.endpoint"),
        ("push:\n  webPush:\n    endpoint: http://localhost:1\n", "push.webPush.endpoint"),
        ("push:\n  webPush:\n    privateKeyPath: v.pem\n    subject: 'mailto:ops@localhost'\n", "push.webPush.subject"),
    ])
    func `that no push service would take is told with line and setting`(text: String, key: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.yaml", text)
        let problems = FileCheck(paths: [file]).reports.flatMap(\.problems)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("\(file):\(text.split(separator: "\n").count): \(key): expected ") == true)
    }

    @Test func `is missing from an empty folder, which is a problem`() throws {
        let empty = try TemporaryFolder()
        let filled = try TemporaryFolder()
        let file = try filled.file("a.yaml", text("rooms", "room_liked"))
        let reports = FileCheck(paths: [filled.path, empty.path]).reports
        #expect(Set(reports.map(\.file)) == [file, empty.path])
        #expect(reports.flatMap(\.problems) == ["\(empty.path): no file in this folder; expected a .yaml file"])
    }

    @Test(arguments: ["", "# nothing yet\n", "{}", "---\n"])
    func `without a key is a problem, as it is for a server that is to serve it`(_ text: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("empty.yaml", text)
        let problems = FileCheck(paths: [file]).reports.flatMap(\.problems)
        let refused = try #require(throws: FileMistakes.self) { try LoadedCatalogs.read([file]) }
        #expect(problems == refused.mistakes.map(\.description) && !problems.isEmpty)
    }

    @Test func `in a folder is taken for a catalog, as a server takes it`() throws {
        let folder = try TemporaryFolder()
        let files = [
            try folder.file("a.yaml", text("rooms", "room_liked")), try folder.file("b.yaml", "live:\n  heartbeat: 5s"),
            try folder.file("c.yaml", ""),
        ]
        let refused = try #require(throws: FileMistakes.self) { try LoadedCatalogs.read([folder.path]) }
        let reports = FileCheck(paths: [folder.path]).reports
        #expect(reports.map(\.file) == files)
        #expect(reports.flatMap(\.problems) == refused.mistakes.map(\.description))
        #expect(
            reports[1].problems == ["\(files[1]): not a catalog: it has none of \"catalog\", \"events\" and \"types\""])
        // A file that is named by itself has no problems.
        #expect(FileCheck(paths: [files[1]]).reports.flatMap(\.problems) == [])
    }

    @Test(arguments: [
        "catalog: c\nevents: {e: {routes: [{to: a, type: X}]}}\ntypes: {X: {text: {{a}} did}}",
        "catalog: c\nevents: {}\ntypes:\n\tX: {text: t}", "catalog: c\nevents: {}\ntypes: {X: {txt: t}}",
        "catalog: c\ncatalog: d\nevents: {}\ntypes: {}", "events:\n  e: {}\n\ttypes: {}", "types: {X: {text: t}}",
    ])
    func `with a mistake has those that a server tells`(_ yaml: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.yaml", yaml)
        let refused = try #require(throws: FileMistakes.self) { try LoadedCatalogs.read([file]) }
        #expect(FileCheck(paths: [file]).reports.flatMap(\.problems) == refused.mistakes.map(\.description))
    }

    @Test func `that was hardly meant so is told, and is no problem`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.yaml", text("rooms", "room_liked") + "categories: {a: {title: A}}\n")
        let report = try #require(FileCheck(paths: [file]).reports.first)
        #expect(report.problems == [])
        #expect(report.warnings == ["\(file):4: categories.a: never used: no type has this category"])
        #expect(try LoadedCatalogs.read([file]).warnings.map(\.description) == report.warnings)
    }

    @Test func `that is a catalog must not route another one's events`() throws {
        let folder = try TemporaryFolder()
        let files = try ["one", "two"].map { try folder.file("\($0).yaml", text($0, "room_liked")) }
        // The folder stands for its files.
        let reports = FileCheck(paths: [folder.path]).reports
        #expect(reports.map(\.file) == files)
        #expect(reports[0].problems == [])
        #expect(reports[1].problems.count == 1)
    }
}
