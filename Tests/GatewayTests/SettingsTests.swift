import Foundation
import Inbox
import Testing
import Transport

@testable import Gateway

@Suite struct `Settings of a server` {
    func read(
        _ yaml: String, environment: [String: String] = [:], flags: [SettingsReader.Flag] = []
    ) throws(InvalidSettings) -> Settings {
        var reader = SettingsReader()
        reader.read(yaml: yaml, file: "belfry.yaml")
        reader.read(environment: environment)
        for flag in flags { reader.read(flag) }
        return try reader.finish()
    }

    func problems(_ yaml: String, environment: [String: String] = [:], flags: [SettingsReader.Flag] = []) -> [String] {
        do {
            _ = try read(yaml, environment: environment, flags: flags)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    // MARK: Sources

    @Test func `of a flag win over the environment, the file and the default`() throws {
        let yaml = "listen: 127.0.0.1:1\nops: 127.0.0.1:2\ndata: /file\n"
        let environment = ["BELFRY_LISTEN": "127.0.0.1:3", "BELFRY_OPS": "[::1]:4"]
        let flags = [SettingsReader.Flag("--listen", for: "listen", [":5"])]
        let settings = try read(yaml, environment: environment, flags: flags)
        #expect(settings.listen == .tcp(host: "", port: 5))
        #expect(settings.ops == .tcp(host: "::1", port: 4))
        #expect(settings.data == "/file")
        #expect(settings.socketPath == "/file/belfry.sock")
        #expect(settings.live == Settings.Live())
    }

    @Test(arguments: [
        ("limits.queuedBytes", "BELFRY_LIMITS_QUEUED_BYTES"), ("listen", "BELFRY_LISTEN"),
        ("limits.clientFramesPer10s", "BELFRY_LIMITS_CLIENT_FRAMES_PER10S"),
        ("live.heartbeat", "BELFRY_LIVE_HEARTBEAT"), ("socketMode", "BELFRY_SOCKET_MODE"),
        ("push.apns.keyID", "BELFRY_PUSH_APNS_KEY_ID"), ("push.apns.caFile", "BELFRY_PUSH_APNS_CA_FILE"),
    ])
    func `have variables named after them`(_ path: String, _ variable: String) {
        #expect(Settings().field(at: path)?.variable == variable)
    }

    @Test func `are looked for behind variables that are spelt nearly like theirs, and not behind a platform's`() {
        let environment = [
            "BELFRY_LISTN": ":1", "BELFRY_AUTH_AUDIENC": "a", "BELFRY_LISTEN": ":2", "BELFRY_PORT": "tcp://10.0.0.1:80",
            "BELFRY_SERVICE_HOST": "10.0.0.1", "BELFRY_SERVICE_PORT_HTTP": "80",
            "BELFRY_PORT_8080_TCP_ADDR": "10.0.0.1",
            "BELFRY_PORT_8080_TCP_PROTO": "tcp", "HOME": "/root", "LISTN": "x", "BELFRY_": "x",
            "BELFRY_SOCKT": "",
        ]
        let found = SettingsReader.misspelt(in: environment)
        #expect(found.map(\.name) == ["BELFRY_AUTH_AUDIENC", "BELFRY_LISTN"])
        #expect(found.map(\.nearest) == ["BELFRY_AUTH_AUDIENCE", "BELFRY_LISTEN"])
    }

    @Test(arguments: [
        ("APNS_ENDPOINT", "http://localhost:1", "https://"), ("FCM_ENDPOINT", "http://localhost:1", "https://"),
        ("ONESIGNAL_ENDPOINT", "localhost:1", "https://"), ("WEBPUSH_ENDPOINT", "HTTP://localhost:1", "https://"),
        ("BELFRY_PUSH_APNS_ENDPOINT", "http://a", "https://"),
        ("VAPID_SUBJECT", "mailto:ops@localhost", "mailto:ops@example.com"),
        ("VAPID_SUBJECT", "mailto: ops@example.com", "mailto:ops@example.com"),
        ("BELFRY_PUSH_WEB_PUSH_SUBJECT", "https://localhost", "mailto:ops@example.com"),
    ])
    func `refuse what no push service could be reached with`(variable: String, value: String, wanted: String) {
        let error = #expect(throws: InvalidSettings.self) { _ = try read("", environment: [variable: value]) }
        let told = (error?.problems ?? []).filter { $0.place.source == variable }
        #expect(told.count == 1)
        #expect(told.first?.reason.contains(wanted) == true)
    }

    @Test func `know the names that providers' variables have elsewhere`() throws {
        let environment = [
            "APNS_KEY_ID": "K", "APNS_TEAM_ID": "T", "APNS_KEY_PATH": "/k.p8", "APNS_BUNDLE_ID": "B",
            "APNS_USE_SANDBOX": "True", "APNS_ENDPOINT": "https://localhost:1", "APNS_CA_FILE": "/ca.pem",
            "BELFRY_PUSH_APNS_KEY_ID": "K2", "BELFRY_AUTH_AUDIENCE": "a, b", "BELFRY_DATA": "",
            "BELFRY_PORT": "tcp://10.0.0.1:80",
        ]
        let settings = try read("", environment: environment)
        var expected = Settings()
        expected.push.apns = Settings.APNs(
            keyID: "K2", teamID: "T", keyPath: "/k.p8", bundleID: "B", useSandbox: true,
            endpoint: "https://localhost:1", caFile: "/ca.pem")
        expected.auth.audience = ["a", "b"]
        #expect(settings == expected)
    }

    @Test func `read every kind of value`() throws {
        let yaml = """
            socketMode: 0600
            catalogs: [a.yaml, b.yaml]
            poller: dispatch
            shards: 4
            log: {level: debug, format: json}
            live:
              heartbeat: 250ms
              tokenInQuery: true
            limits:
            traces: {endpoint: "http://127.0.0.1:4318", sample: 0.25, headers: "a=hidden"}
            auth:
              audience: one
              algorithms: [EdDSA]
              secret: "0123456789abcdef0123456789abcdef"
            """
        let settings = try read(yaml)
        #expect(settings.socketMode.bits == 0o600)
        #expect(settings.catalogs == ["a.yaml", "b.yaml"])
        #expect(settings.poller == .dispatch)
        #expect(settings.shards == 4)
        #expect("\(settings.log.level)" == "debug")
        #expect(settings.log.format == .json)
        #expect(settings.live.heartbeat == .milliseconds(250))
        #expect(settings.live.tokenInQuery)
        #expect(settings.traces.sample.value == 0.25)
        #expect(!settings.redactedDescription.contains("hidden"))
        #expect(settings.redactedDescription.contains("traces.sample: 0.25"))
        #expect(settings.auth.audience == ["one"])
        #expect(settings.auth.algorithms == [.edDSA])
        #expect(settings.auth.secret?.text.utf8.count == 32)
    }

    // MARK: Mistakes

    @Test(arguments: [
        ("listn: x", #"belfry.yaml:1: listn: is not a setting; did you mean "listen"?"#),
        ("live:\n  hartbeat: 5s", #"belfry.yaml:2: live.hartbeat: is not a setting; did you mean "heartbeat"?"#),
        ("heartbeat: 5s", #"belfry.yaml:1: heartbeat: is not a setting; did you mean "live.heartbeat"?"#),
        ("log:\n  colours: on", "belfry.yaml:2: log.colours: is not a setting; expected level or format"),
        ("auth: {secret:hidden}", "belfry.yaml:1: auth.secret…: is not a setting; expected a space behind the colon"),
        ("auth: {secret=hidden: 1}", "belfry.yaml:1: auth.secret…: is not a setting; did you mean \"secret\"?"),
        ("{log:hidden, log:hidden}", "belfry.yaml:1: stands twice: log…"),
        (
            "\nlive:\n  heartbeat: 25",
            "belfry.yaml:3: live.heartbeat: expected a duration such as 250ms, 4s, 5m, 24h or 7d"
        ),
        (
            "store:\n  commitInterval: 1001ms",
            "belfry.yaml:2: store.commitInterval: expected a duration from 0s to 1s, such as 4ms"
        ),
        ("live: 5", "belfry.yaml:1: live: expected a group of settings"),
        ("listen: 8080", "belfry.yaml:1: listen: expected an address such as 127.0.0.1:8080"),
        ("poller: kqueue", "belfry.yaml:1: poller: expected auto, epoll, dispatch"),
        ("shards: -1", "belfry.yaml:1: shards: expected a whole number, 0 or more"),
        ("shards: [1]", "belfry.yaml:1: shards: expected a whole number, 0 or more"),
        ("socketMode: 888", "belfry.yaml:1: socketMode: expected an octal file mode such as 0660"),
        ("catalogs: [{}]", "belfry.yaml:1: catalogs: expected a list: paths of catalogs, or of folders with catalogs"),
        ("auth:\n  algorithms: [none]", "belfry.yaml:2: auth.algorithms[0]: expected HS256, RS256, ES256, EdDSA"),
        ("auth:\n  algorithms: []", "belfry.yaml:2: auth.algorithms: expected at least one algorithm"),
        ("auth:\n  secret: short", "belfry.yaml:2: auth.secret: expected a text of 32 bytes or more"),
        ("traces:\n  sample: 1.5", "belfry.yaml:2: traces.sample: expected a number from 0 to 1, such as 0.01"),
        ("traces:\n  sample: 0x1p-3", "belfry.yaml:2: traces.sample: expected a number from 0 to 1, such as 0.01"),
        (
            "traces:\n  endpoint: localhost:4318",
            "belfry.yaml:2: traces.endpoint: expected the URL of an OTLP/HTTP collector, such as http://127.0.0.1:4318"
        ),
        (
            "traces:\n  endpoint: http://127.0.0.1:4318\n  headers: hidden",
            "belfry.yaml:3: traces.headers: expected NAME=VALUE, separated by commas, such as "
                + "authorization=Bearer s3cret"
        ),
        (
            "traces:\n  headers: a=hidden",
            "belfry.yaml:2: traces.headers: needs traces.endpoint: nothing is sent without a collector"
        ),
        ("- a", "belfry.yaml:1: expected settings as `key: value`"),
        ("data: a\ndata: b", "belfry.yaml:1: stands twice: data"),
    ])
    func `that are wrong are told with their place`(_ yaml: String, _ expected: String) {
        #expect(problems(yaml) == [expected])
    }

    @Test(arguments: [
        ("tls:\n  certificateFile: c.pem\n", "2: tls.keyFile: is missing: TLS needs certificateFile and keyFile"),
        ("tls:\n  keyFile: k.pem\n", "2: tls.certificateFile: is missing: TLS needs certificateFile and keyFile"),
        (
            "proxy:\n  trusted: [10.0.0.0/33]\n",
            "2: proxy.trusted: '10.0.0.0/33' is no address such as ::1, no network such as 10.0.0.0/8, "
                + "and not the word unix"
        ),
        ("proxy:\n  protocol: true\n", "2: proxy.protocol: needs proxy.trusted: nobody could connect otherwise"),
        (
            "admission:\n  origins: [app.example.com]\n",
            "2: admission.origins: 'app.example.com' is no origin such as https://app.example.com, no wildcard such as "
                + "https://*.example.com, and not the word null"
        ),
    ])
    func `of the public listener are checked together`(_ yaml: String, _ problem: String) {
        #expect(problems(yaml) == ["belfry.yaml:\(problem)"])
    }

    @Test func `that are wrong are told all at once, wherever they stand`() {
        let found = problems(
            "live:\n  heartbeat: 0s\nops: no\n", environment: ["BELFRY_SHARDS": "many", "APNS_KEY_ID": "K"],
            flags: [.init("--listen", for: "listen", ["nowhere"])])
        #expect(
            found == [
                "belfry.yaml:2: live.heartbeat: expected a duration such as 250ms, 4s, 5m, 24h or 7d",
                "belfry.yaml:3: ops: expected an address such as 127.0.0.1:8080",
                "BELFRY_SHARDS: shards: expected a whole number, 0 or more",
                "APNS_KEY_ID: push.apns.teamID: is missing: APNs needs keyID, teamID, keyPath and bundleID",
                "APNS_KEY_ID: push.apns.keyPath: is missing: APNs needs keyID, teamID, keyPath and bundleID",
                "APNS_KEY_ID: push.apns.bundleID: is missing: APNs needs keyID, teamID, keyPath and bundleID",
                "--listen: listen: expected an address such as 127.0.0.1:8080",
            ])
    }

    @Test func `that are wrong in a file are told from its first line to its last`() {
        let found = problems(
            """
            publishers:
              b: {}
              c:
                uid: 5
                calls:
                  - publsh
                  - retract
                  - secret
            log: {level: infoo}
            """)
        let calls = "publish, retract, patch, topics, users, feeds, trail, erase, reload, others"
        let levels = "trace, debug, info, notice, warning, error, critical"
        #expect(
            found == [
                "belfry.yaml:2: publishers.b: expected uid, gid or keyHash: nothing tells who this publisher is",
                #"belfry.yaml:6: publishers.c.calls[0]: expected one of \#(calls); did you mean "publish"?"#,
                "belfry.yaml:8: publishers.c.calls[2]: expected one of \(calls)",
                #"belfry.yaml:9: log.level: expected \#(levels); did you mean "info"?"#,
            ])
    }

    @Test func `that are wrong are told in the order of their sources, and dots in names lead to no other's place`() {
        let found = problems(
            "publishers:\n  a: {}\n  a.b:\n    uid: 5\n", environment: ["BELFRY_SHARDS": "many"])
        #expect(
            found == [
                "belfry.yaml:2: publishers.a: expected uid, gid or keyHash: nothing tells who this publisher is",
                "BELFRY_SHARDS: shards: expected a whole number, 0 or more",
            ])
    }

    @Test func `in a text that is no YAML are told without quoting it`() {
        let found = problems("auth:\n  secret: \"hidden\n  x: [")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("belfry.yaml:") == true)
        #expect(found.first?.contains("hidden") == false)
    }

    @Test func `of a file that is missing name it`() {
        #expect(throws: InvalidSettings.self) { try SettingsReader.read(file: "/missing.yaml", environment: [:]) }
    }

    // MARK: Values

    @Test(arguments: [
        ("0s", 0), ("250ms", 250), ("4s", 4_000), ("5m", 300_000), ("24h", 86_400_000), ("7d", 604_800_000),
    ])
    func `of time are read and written`(_ text: String, _ milliseconds: Int) throws {
        #expect(Duration(setting: text) == .milliseconds(milliseconds))
        #expect(Duration(setting: Duration.milliseconds(milliseconds).settingText) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "5", "s", "-1s", "1.5s", "5 s", "5S", "1h30m", "99999999999999999999s", "9223372036854775807d",
    ])
    func `that are no time are refused`(_ text: String) {
        #expect(Duration(setting: text) == nil)
    }

    @Test(arguments: ["unix:/tmp/s", "[::1]:80", ":0"]) func `tell an address as it is written`(_ text: String) {
        #expect(SocketAddress(setting: text)?.settingText == text)
    }

    @Test func `do not show their secrets`() {
        var settings = Settings()
        settings.auth.secret = Secret("the one that must not be seen")
        var shown = settings.redactedDescription + "\(settings)"
        dump(settings, to: &shown)
        #expect(!shown.contains("must not be seen"))
        #expect(settings.redactedDescription.contains("auth.secret: <secret>"))
        #expect(settings.redactedDescription.contains("limits.stallTimeout: 20s"))
    }

    // MARK: The example file

    static let exampleFile = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Config/belfry.yaml").standardized.path

    @Test func `of the example file are the defaults`() throws {
        #expect(try SettingsReader.read(file: Self.exampleFile, environment: [:]) == Settings())
    }

    @Test(arguments: Settings().fields.map(\.path))
    func `are all in the example file`(_ path: String) throws {
        let lines = try String(contentsOfFile: Self.exampleFile, encoding: .utf8).split(separator: "\n")
        var open: [(indent: Int, key: Substring)] = []
        let paths = lines.compactMap { line -> String? in
            let content = line.drop { $0 == " " }
            guard !content.hasPrefix("#"), let colon = content.firstIndex(of: ":") else { return nil }
            let indent = line.count - content.count
            open.removeAll { $0.indent >= indent }
            open.append((indent, content[..<colon]))
            return open.map(\.key).joined(separator: ".")
        }
        #expect(paths.contains(path))
    }
}
