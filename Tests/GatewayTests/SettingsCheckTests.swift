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

    @Test func `is told apart by its keys, and good ones have no problems`() async throws {
        let folder = try TemporaryFolder()
        let files = [
            try folder.file("a.yaml", text("rooms", "room_liked")), try folder.file("b.yaml", "live:\n  heartbeat: 5s"),
        ]
        let reports = await FileCheck(paths: files).reports
        #expect(reports.map(\.file) == files)
        #expect(reports.map(\.summary) == ["rooms, events: 1, types: 1, no translations", nil])
        #expect(reports.flatMap(\.problems) == [])
    }

    @Test func `has its own problems, each with file and line`() async throws {
        let folder = try TemporaryFolder()
        let files = [
            try folder.file("a.yaml", "catalog: rooms\ntypes: {}\nevent: {}\n"),
            try folder.file("b.yaml", "listen: x\nlive:\n  heartbeet: 5s\n"),
        ]
        let reports = await FileCheck(paths: files + ["\(folder.path)/missing.yaml"]).reports
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
    func `that no push service would take is told with line and setting`(text: String, key: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.yaml", text)
        let problems = await FileCheck(paths: [file]).reports.flatMap(\.problems)
        #expect(problems.count == 1)
        #expect(problems.first?.hasPrefix("\(file):\(text.split(separator: "\n").count): \(key): expected ") == true)
    }

    @Test func `is missing from an empty folder, which is a problem`() async throws {
        let empty = try TemporaryFolder()
        let filled = try TemporaryFolder()
        let file = try filled.file("a.yaml", text("rooms", "room_liked"))
        let reports = await FileCheck(paths: [filled.path, empty.path]).reports
        #expect(Set(reports.map(\.file)) == [file, empty.path])
        #expect(reports.flatMap(\.problems) == ["\(empty.path): no file in this folder; expected a .yaml file"])
    }

    @Test(arguments: ["", "# nothing yet\n", "{}", "---\n"])
    func `without a key is a problem, as it is for a server that is to serve it`(_ text: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("empty.yaml", text)
        let problems = await FileCheck(paths: [file]).reports.flatMap(\.problems)
        let refused = try #require(throws: FileMistakes.self) { try LoadedCatalogs.read([file]) }
        #expect(problems == refused.mistakes.map(\.description) && !problems.isEmpty)
    }

    @Test func `in a folder is taken for a catalog, as a server takes it`() async throws {
        let folder = try TemporaryFolder()
        let files = [
            try folder.file("a.yaml", text("rooms", "room_liked")), try folder.file("b.yaml", "live:\n  heartbeat: 5s"),
            try folder.file("c.yaml", ""),
        ]
        let refused = try #require(throws: FileMistakes.self) { try LoadedCatalogs.read([folder.path]) }
        let reports = await FileCheck(paths: [folder.path]).reports
        #expect(reports.map(\.file) == files)
        #expect(reports.flatMap(\.problems) == refused.mistakes.map(\.description))
        #expect(
            reports[1].problems == ["\(files[1]): not a catalog: it has none of \"catalog\", \"events\" and \"types\""])
        // A file that is named by itself has no problems.
        #expect(await FileCheck(paths: [files[1]]).reports.flatMap(\.problems) == [])
    }

    @Test(arguments: [
        "catalog: c\nevents: {e: {routes: [{to: a, type: X}]}}\ntypes: {X: {text: {{a}} did}}",
        "catalog: c\nevents: {}\ntypes:\n\tX: {text: t}", "catalog: c\nevents: {}\ntypes: {X: {txt: t}}",
        "catalog: c\ncatalog: d\nevents: {}\ntypes: {}", "events:\n  e: {}\n\ttypes: {}", "types: {X: {text: t}}",
    ])
    func `with a mistake has those that a server tells`(_ yaml: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.yaml", yaml)
        let refused = try #require(throws: FileMistakes.self) { try LoadedCatalogs.read([file]) }
        #expect(await FileCheck(paths: [file]).reports.flatMap(\.problems) == refused.mistakes.map(\.description))
    }

    @Test func `that was hardly meant so is told, and is no problem`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.yaml", text("rooms", "room_liked") + "categories: {a: {title: A}}\n")
        let report = try #require(await FileCheck(paths: [file]).reports.first)
        #expect(report.problems == [])
        #expect(report.warnings == ["\(file):4: categories.a: never used: no type has this category"])
        #expect(try LoadedCatalogs.read([file]).warnings.map(\.description) == report.warnings)
    }

    @Test func `that is a catalog must not route another one's events`() async throws {
        let folder = try TemporaryFolder()
        let files = try ["one", "two"].map { try folder.file("\($0).yaml", text($0, "room_liked")) }
        // The folder stands for its files.
        let reports = await FileCheck(paths: [folder.path]).reports
        #expect(reports.map(\.file) == files)
        #expect(reports[0].problems == [])
        #expect(reports[1].problems.count == 1)
    }

    @Test func `that names other files is checked with all of them, as a start reads them`() async throws {
        let folder = try TemporaryFolder()
        let catalog = try folder.file("rooms.yaml", text("rooms", "room_liked") + "typs: {}\n")
        let broken = try folder.file("broken.pem", "no key")
        let missing = "\(folder.path)/missing"
        let settings = try folder.file(
            "belfry.yaml",
            """
            catalogs: [\(catalog)]
            tls: {certificateFile: \(broken), keyFile: \(missing)}
            publishing: {certificateFile: \(missing), keyFile: \(missing), listen: "127.0.0.1:1"}
            publishers: {backend: {keyHash: "\(String(repeating: "0", count: 64))"}}
            auth:
              secretFile: \(missing)
              apps: {golf: {publicKeyFiles: [\(broken)]}}
              providers: {idp: {issuer: "https://idp.example", audience: a, caFile: \(missing)}}
            store: {url: "postgres://belfry@db/belfry?sslrootcert=\(missing)", passwordFile: \(missing)}
            webhooks:
              endpoints: {hook: {url: "https://backend.example/hooks", secretFile: \(missing)}}
            push:
              apns: {keyID: K, teamID: T, bundleID: B, keyPath: \(broken), caFile: \(broken)}
              fcm: {serviceAccountPath: \(missing)}
              webPush: {privateKeyPath: \(broken), subject: "mailto:ops@example.com"}
            """)
        let reports = await FileCheck(paths: [settings]).reports
        #expect(reports.map(\.file) == [settings])
        let problems = reports[0].problems
        #expect(problems.last?.hasPrefix("\(catalog):4: typs: ") == true)
        let away = "No such file or directory"
        #expect(
            problems.dropLast().sorted()
                == [
                    "auth.apps.golf: \(broken): expected a public key in PEM form",
                    "auth.providers.idp.caFile: CA file \(missing): cannot be read: \(away)",
                    "auth: \(missing): cannot be read: The file doesn’t exist.",
                    "publishing: certificate \(missing): cannot be read: \(away)",
                    "push.apns.caFile: CA file \(broken): expected certificates in PEM form",
                    "push.apns.keyPath: \(broken): expected the .p8 file from Apple: PEM of an EC key on P-256",
                    "push.fcm.serviceAccountPath: cannot open \(missing): \(away)",
                    "push.webPush.privateKeyPath: \(broken): expected a private key in PEM form",
                    "store.passwordFile: cannot open \(missing): \(away)",
                    "store.url: sslrootcert: cannot open \(missing): \(away)",
                    "tls: certificate \(broken): expected certificates in PEM form: the server's own, then those up to its "
                        + "authority",
                    "webhooks.endpoints.hook.secretFile: cannot open \(missing): \(away)",
                ].map { "\(settings): \($0)" }.sorted())
    }

    @Test func `that is for another machine is checked without what it names`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("belfry.yaml", "catalogs: [/nowhere]\nauth: {secretFile: /nowhere/secret}\n")
        #expect(await FileCheck(paths: [file]).reports.flatMap(\.problems).count == 2)
        #expect(await FileCheck(paths: [file], readsNamed: false).reports.flatMap(\.problems) == [])
    }

    @Test func `with settings is no catalog, also if it lies among those that it names`() async throws {
        let folder = try TemporaryFolder()
        let settings = try folder.file("belfry.yaml", "catalogs: [\(folder.path)]\n")
        _ = try folder.file("rooms.yaml", text("rooms", "room_liked"))
        let refused = try #require(throws: FileMistakes.self) { try LoadedCatalogs.read([folder.path]) }
        #expect(await FileCheck(paths: [settings]).reports.flatMap(\.problems) == refused.mistakes.map(\.description))
    }

    @Test func `with settings has its own catalogs, which go with no other settings'`() async throws {
        let one = try TemporaryFolder()
        let other = try TemporaryFolder()
        let empty = try TemporaryFolder()
        let files = try [one.path, other.path].map { folder in
            let file = "\(folder)/belfry.settings"
            try text("rooms", "room_liked").write(toFile: "\(folder)/rooms.yaml", atomically: true, encoding: .utf8)
            // Of two folders one may be empty.
            try "catalogs: [\(folder), \(empty.path)]\n".write(toFile: file, atomically: true, encoding: .utf8)
            return file
        }
        #expect(await FileCheck(paths: files).reports.flatMap(\.problems) == [])
        // Told once.
        let broken = try one.file("golf.yaml", "catalog: golf\n")
        let told = await FileCheck(paths: [files[0], one.path]).reports.flatMap(\.problems)
        #expect(!told.isEmpty && Set(told).count == told.count && told.allSatisfy { $0.hasPrefix(broken) })
    }

    @Test func `whose keys are of no use is warned of: the environment may name others`() async throws {
        let folder = try TemporaryFolder()
        let keys = try folder.file("keys.json", #"{"keys": [{"kty": "oct", "k": "AA", "kid": "a"}]}"#)
        let secret = try folder.file("secret", String(repeating: "s", count: 32))
        let file = try folder.file("belfry.yaml", "auth: {secretFile: \(secret), algorithms: [ES256]}\n")
        let report = try #require(await FileCheck(paths: [file]).reports.first)
        #expect(report.problems == [])
        #expect(
            report.warnings.count == 1 && report.warnings[0].hasPrefix("\(file): auth: no key to verify tokens with"))
        let other = try folder.file("other.yaml", "auth: {jwksFile: \(keys)}\n")
        #expect(await FileCheck(paths: [other]).reports.flatMap(\.problems).count == 1)
    }

    @Test func `that names no key is no problem: the environment may name one`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("belfry.yaml", "auth: {apps: {golf: {audience: a}}}\nlisten: 127.0.0.1:1\n")
        #expect(await FileCheck(paths: [file]).reports.flatMap(\.problems) == [])
    }
}
