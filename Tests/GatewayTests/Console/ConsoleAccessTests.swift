import Testing
import Transport
import WireProtocol

@testable import Gateway

struct ConsoleAccessTests {
    private static let cookie = "c00kie"
    private static let owner = ConsoleOperator(name: "Ana", way: .password)

    private func access(password: String? = nil, token: String? = nil) -> ConsoleAccess {
        var settings = Settings.Console()
        settings.password = password.map { Secret($0) }
        settings.token = token.map { Secret($0) }
        return ConsoleAccess(settings)
    }

    private func judge(
        _ access: ConsoleAccess, _ method: String = "GET", host: String = "127.0.0.1:9090",
        from address: String? = "127.0.0.1", for demand: ConsoleAccess.Demand? = nil,
        headers: [(String, String)] = [("Belfry-Console", "")]
    ) throws -> ConsoleAccess.Verdict {
        var fields = HTTPHeaders()
        fields.add("Host", host)
        for (name, value) in headers { fields.add(name, value) }
        let head = try HTTPRequestHead(method: method, target: "/v1/push", headers: fields)
        let peer = Peer(userID: nil, isLocal: false, address: try address.map { try #require(IPAddress($0)) })
        return access.judge(head, from: peer, for: demand ?? (method == "GET" ? .read : .action)) {
            $0 == Self.cookie ? Self.owner : nil
        }
    }

    private func code(_ verdict: ConsoleAccess.Verdict) -> String {
        switch verdict {
        case .allowed: "allowed"
        case .loginNeeded: "login"
        case .refused(let problem): problem.code
        }
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:9090", "allowed"), ("::1", "[::1]:9090", "allowed"),
        ("127.0.0.9", "localhost", "allowed"),
        ("10.0.0.7", "127.0.0.1:9090", "console_closed"), ("10.0.0.7", "10.0.0.1:9090", "console_closed"),
        ("127.0.0.1", "evil.example", "forbidden_host"), ("127.0.0.1", "10.0.0.1:9090", "forbidden_host"),
    ])
    func `without secrets this machine alone is let in, by its own names`(
        _ address: String, _ host: String, _ expected: String
    ) throws {
        #expect(code(try judge(access(), host: host, from: address)) == expected)
    }

    @Test(arguments: ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"])
    func `without secrets nobody is let in by a proxy, which would look like this machine`(_ header: String) throws {
        #expect(code(try judge(access(), headers: [(header, "10.0.0.7")])) == "console_closed")
    }

    @Test func `a caller on a Unix socket counts as one of this machine`() throws {
        #expect(code(try judge(access(), host: "localhost", from: nil)) == "allowed")
    }

    @Test func `with a secret this machine has to log in, too`() throws {
        #expect(try judge(access(password: "a long password")) == .loginNeeded)
        #expect(try judge(access(token: "a long token")) == .loginNeeded)
    }

    @Test func `with a secret others and proxies are let in, by any name`() throws {
        let headers = [("Cookie", "other=1; belfry_console=\(Self.cookie)"), ("X-Forwarded-For", "10.0.0.7")]
        let verdict = try judge(
            access(password: "a long password"), host: "console.example.com", from: "10.0.0.7", headers: headers)
        #expect(verdict == .allowed(Self.owner))
    }

    @Test func `a cookie that no login has given lets nobody in`() throws {
        let verdict = try judge(access(password: "a long password"), headers: [("Cookie", "belfry_console=other")])
        #expect(verdict == .loginNeeded)
    }

    @Test func `the token lets a program in, and another token does not`() throws {
        let access = access(token: "a-long-enough-token")
        let good = try judge(
            access, "POST", headers: [("Authorization", "Bearer a-long-enough-token"), ("Belfry-Console", "CI%20job")])
        #expect(good == .allowed(ConsoleOperator(name: "CI job", way: .token)))
        #expect(code(try judge(access, headers: [("Authorization", "Bearer a-long-enough-tokem")])) == "wrong_token")
        #expect(code(try judge(access, headers: [("Authorization", "Bearer a-long-enough")])) == "wrong_token")
    }

    @Test func `an action needs the header, from a page of the console`() throws {
        let own = ("Origin", "http://127.0.0.1:9090")
        #expect(code(try judge(access(), "POST", headers: [])) == "header_required")
        #expect(code(try judge(access(), "POST", headers: [own])) == "header_required")
        #expect(code(try judge(access(), "DELETE", headers: [own, ("Belfry-Console", "")])) == "allowed")
        #expect(code(try judge(access(), "DELETE", headers: [("Belfry-Console", "")])) == "allowed")
        #expect(
            code(try judge(access(), "POST", headers: [("Origin", "http://evil.example"), ("Belfry-Console", "")]))
                == "header_required")
        #expect(
            code(try judge(access(), "POST", headers: [("Origin", "null"), ("Belfry-Console", "")]))
                == "header_required")
    }

    @Test
    func `without a secret reading needs the header, too, so that a plain request from this machine gets nothing`()
        throws
    {
        #expect(code(try judge(access(), headers: [])) == "header_required")
        #expect(code(try judge(access(), headers: [("Belfry-Console", "")])) == "allowed")
        let foreign = [("Origin", "http://evil.example"), ("Belfry-Console", "")]
        #expect(code(try judge(access(), headers: foreign)) == "header_required")
        #expect(code(try judge(access(), for: .page, headers: [])) == "allowed")
    }

    @Test func `with a secret reading needs the login or the token alone`() throws {
        let access = access(password: "a long password", token: "a-long-token")
        #expect(code(try judge(access, headers: [("Cookie", "belfry_console=\(Self.cookie)")])) == "allowed")
        #expect(code(try judge(access, headers: [("Authorization", "Bearer a-long-token")])) == "allowed")
    }

    @Test func `an action with a cookie needs the header as well`() throws {
        let access = access(password: "a long password")
        let cookie = ("Cookie", "belfry_console=\(Self.cookie)")
        #expect(code(try judge(access, "POST", headers: [cookie])) == "header_required")
        #expect(try judge(access, "POST", headers: [cookie, ("Belfry-Console", "Bob")]) == .allowed(Self.owner))
    }

    @Test func `the password and the token open a login, and nothing else does`() {
        let access = access(password: "a long password", token: "a long token")
        #expect(
            ["a long password", "a long token", "a long passwore", "", "A long password"].map(access.isPassword) == [
                true, true, false, false, false,
            ])
        #expect(!self.access().isPassword(""))
    }

    @Test func `a name with control characters, or one that is too long, is not kept`() {
        #expect(ConsoleOperator(name: "Ana\u{1B}[2J", way: .loopback).name == nil)
        #expect(ConsoleOperator(name: String(repeating: "a", count: 101), way: .loopback).name == nil)
        #expect(ConsoleOperator(name: "", way: .loopback).name == nil)
        #expect(ConsoleOperator(name: "Žofie", way: .loopback).name == "Žofie")
    }
}
