import Foundation
import Gateway
import Inbox
import JSON
import JWTKit
import Testing

@Suite struct `Keys` {
    static let claims: JSONValue = ["sub": "user-7", "exp": (Timestamp.noon + .seconds(60)).numericDate]

    func problem(_ source: KeySource, _ rules: TokenRules = TokenRules()) async throws -> KeyProblem? {
        do {
            _ = try await Authenticator(source: source, rules: rules)
            return nil
        } catch {
            return error
        }
    }

    @Test func `of a set are used one by one, and foreign ones are reported`() async throws {
        let folder = try TemporaryFolder()
        let foreign: [JSONValue] = [
            ["kty": "EC", "crv": "secp256k1", "kid": "coin", "x": "AA", "y": "AA"],
            ["kty": "oct", "kid": "shared", "k": "AA"],
            ["kty": "RSA", "kid": "enc", "use": "enc", "n": "AA", "e": "AQAB"],
            ["kty": "RSA", "kid": "pss", "alg": "PS256", "n": "AA", "e": "AQAB"],
            ["kty": "RSA", "kid": "short", "n": "AQAB", "e": "AQAB"],
            ["kty": "EC", "crv": "P-256", "kid": "flat", "x": "AA", "y": "AA"],
            ["kty": "OKP", "crv": "Ed25519", "kid": "empty"], "no key", ["kty": "AKP"],
        ]
        let used = [SigningAlgorithm.rs256, .es256, .edDSA]
        let keys = try foreign + used.map { try PublicForm.webKey($0, identifier: $0.rawValue) }
        let file = try folder.file("keys.json", PublicForm.keySet(keys))
        let authenticator = try await Authenticator(source: KeySource(jwksFile: file), rules: TokenRules())
        #expect(authenticator.notes.count == foreign.count)
        for name in ["coin", "shared", "enc", "pss", "short", "flat", "empty"] {
            #expect(authenticator.notes.contains { $0.contains("key \"\(name)\"") })
        }
        for algorithm in used {
            let issuer = try await TestIssuer.make(algorithm)
            let token = try issuer.token(Self.claims, header: ["kid": .string(algorithm.rawValue)])
            #expect(try authenticator.verify(#require(BearerToken(token)), at: .noon).get().user.name == "user-7")
            let unnamed = try issuer.token(Self.claims)
            #expect(throws: Never.self) { try authenticator.verify(#require(BearerToken(unnamed)), at: .noon).get() }
        }
    }

    @Test func `may stand together in one PEM file`() async throws {
        let folder = try TemporaryFolder()
        let pem = try [SigningAlgorithm.es256, .rs256].map(PublicForm.pem).joined(separator: "\nold key:\n")
        let source = KeySource(publicKeyFiles: [try folder.file("keys.pem", pem)])
        let authenticator = try await Authenticator(source: source, rules: TokenRules())
        for algorithm in [SigningAlgorithm.es256, .rs256] {
            let token = try await TestIssuer.make(algorithm).token(Self.claims)
            #expect(try authenticator.verify(#require(BearerToken(token)), at: .noon).get().user.name == "user-7")
        }
    }

    @Test func `from a secret's file come without the white space around them`() async throws {
        let folder = try TemporaryFolder()
        let source = KeySource(secretFile: try folder.file("secret", "  \(TestKeys.secret)\n"))
        let token = try await TestIssuer.hs256().token(Self.claims)
        let authenticator = try await Authenticator(source: source, rules: TokenRules())
        #expect(try authenticator.verify(#require(BearerToken(token)), at: .noon).get().user.name == "user-7")
    }

    @Test(arguments: [
        ("short", KeySource(secret: Secret("short"))), ("none", KeySource()),
    ])
    func `that are too short or missing are the operator's mistake`(_ word: String, _ source: KeySource) async throws {
        let problem = try #require(await problem(source))
        #expect(problem.description.contains(word == "short" ? "32 bytes" : "auth.secret"))
        #expect(!problem.description.contains("short"))
    }

    @Test func `that are private, of another kind or unreadable name their file`() async throws {
        let folder = try TemporaryFolder()
        let texts = [
            "private key": TestKeys.p256.pemRepresentation, "expected a public key in PEM form": "nothing",
            "expected a public key: RSA": "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
        ]
        for (reason, text) in texts {
            let file = try folder.file("key.pem", text)
            let problem = try #require(await problem(KeySource(publicKeyFiles: [file])))
            #expect(problem.source == file)
            #expect(problem.reason.contains(reason))
        }
        let missing = try #require(await problem(KeySource(publicKeyFiles: ["\(folder.path)/missing.pem"])))
        #expect(missing.reason.hasPrefix("cannot be read"))
    }

    @Test(arguments: [("{}", "expected"), ("[", "invalid JSON"), (#"{"keys": []}"#, "no usable key")])
    func `of a file that is no set are refused`(_ text: String, _ reason: String) async throws {
        let folder = try TemporaryFolder()
        let problem = try #require(await problem(KeySource(jwksFile: try folder.file("keys.json", text))))
        #expect(problem.reason.contains(reason))
    }

    @Test func `for an algorithm that is switched off are passed over`() async throws {
        let folder = try TemporaryFolder()
        let source = KeySource(
            secret: Secret(TestKeys.secret), publicKeyFiles: [try folder.file("key.pem", PublicForm.pem(.es256))])
        let authenticator = try await Authenticator(source: source, rules: TokenRules(algorithms: [.es256]))
        #expect(authenticator.notes.count == 1)
        #expect(try #require(await problem(source, TokenRules(algorithms: [.edDSA]))).source == "auth")
    }

    // MARK: Reload

    @Test func `are replaced when their file is, and kept when the new file is broken`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("keys.json", PublicForm.keySet([PublicForm.webKey(.es256, identifier: "k")]))
        let authenticator = try await Authenticator(source: KeySource(jwksFile: file), rules: TokenRules())
        let old = try await TestIssuer.make(.es256).token(Self.claims, header: ["kid": "k"])
        let new = try await TestIssuer.make(.edDSA).token(Self.claims, header: ["kid": "k"])
        func works(_ token: String) throws -> Bool {
            if case .success = authenticator.verify(try #require(BearerToken(token)), at: .noon) { true } else { false }
        }
        #expect(await authenticator.reloadIfChanged() == .unchanged)

        try folder.file("keys.json", "broken")
        let kept = await authenticator.reloadIfChanged()
        if case .kept(let problem) = kept { #expect(problem.source == file) } else { Issue.record("\(kept)") }
        #expect(await authenticator.reloadIfChanged() == .unchanged)
        #expect(try works(old))

        try folder.file("keys.json", PublicForm.keySet([PublicForm.webKey(.edDSA, identifier: "k")]))
        #expect(await authenticator.reloadIfChanged() == .replaced(notes: []))
        #expect(try works(new))
        #expect(try !works(old))

        try FileManager.default.removeItem(atPath: file)
        if case .kept = await authenticator.reloadIfChanged() {} else { Issue.record("a missing file replaced keys") }
        #expect(try works(new))
    }

    @Test func `that are not usable stay a problem until the files are put right, whoever looks`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("secret", TestKeys.secret)
        let authenticator = try await Authenticator(source: KeySource(secretFile: file), rules: TokenRules())
        #expect(authenticator.problems.isEmpty)
        try folder.file("secret", "short")
        guard case .kept(let problem) = await authenticator.reloadIfChanged() else {
            Issue.record("a secret that is too short was taken")
            return
        }
        for _ in 0..<2 {
            #expect(authenticator.problems == [problem])
            #expect(await authenticator.reloadIfChanged() == .unchanged)
        }
        try folder.file("secret", TestKeys.secret + "!")
        #expect(await authenticator.reloadIfChanged() == .replaced(notes: []))
        #expect(authenticator.problems.isEmpty)
    }

    @Test func `are looked for again when a link to them is turned`() throws {
        let folder = try TemporaryFolder()
        let link = "\(folder.path)/link"
        let files = FileManager.default
        try files.createSymbolicLink(atPath: link, withDestinationPath: folder.file("one", "1"))
        let before = FileStamp(of: link)
        #expect(before != nil && before == FileStamp(of: link))
        try files.removeItem(atPath: link)
        try files.createSymbolicLink(atPath: link, withDestinationPath: folder.file("two", "22"))
        #expect(FileStamp(of: link) != before)
        #expect(FileStamp(of: "\(folder.path)/missing") == nil)
    }
}
