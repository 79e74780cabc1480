import Foundation
import Gateway
import Inbox
import JSON
import Testing

/// Whether a session's token would still be believed, told without the token.
@Suite struct `The signer of a token` {
    static let claims: JSONValue = ["sub": "user-7", "exp": (Timestamp.noon + .seconds(60)).numericDate]

    /// A token of the first key set, and whether the second one still trusts its signer.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// `kid` and algorithm of each key.
        let before: [(String, SigningAlgorithm)]
        let after: [(String, SigningAlgorithm)]
        var header: JSONObject = ["kid": "one"]
        let isTrusted: Bool
    }

    static let changes = [
        Change(
            testDescription: "another key is added", before: [("one", .es256)],
            after: [("one", .es256), ("two", .rs256)], isTrusted: true),
        Change(
            testDescription: "the order is another", before: [("one", .es256), ("two", .rs256)],
            after: [("two", .rs256), ("one", .es256)], isTrusted: true),
        Change(
            testDescription: "its key is gone", before: [("one", .es256), ("two", .rs256)],
            after: [("two", .rs256)], isTrusted: false),
        Change(
            testDescription: "its name is another key's", before: [("one", .es256)], after: [("one", .rs256)],
            isTrusted: false),
        Change(
            testDescription: "its key has another name", before: [("one", .es256)], after: [("two", .es256)],
            isTrusted: false),
        Change(
            testDescription: "a token without a name, its key stays", before: [("one", .es256)],
            after: [("one", .es256), ("two", .rs256)], header: [:], isTrusted: true),
        Change(
            testDescription: "a token without a name, its key is gone", before: [("one", .es256), ("two", .rs256)],
            after: [("two", .rs256)], header: [:], isTrusted: false),
    ]

    private func write(_ keys: [(String, SigningAlgorithm)], to folder: borrowing TemporaryFolder) throws -> String {
        try folder.file("keys.json", PublicForm.keySet(keys.map { try PublicForm.webKey($0.1, identifier: $0.0) }))
    }

    @Test(arguments: changes) func `is trusted for as long as its key is`(_ change: Change) async throws {
        let folder = try TemporaryFolder()
        let source = KeySource(jwksFile: try write(change.before, to: folder))
        let authenticator = try await Authenticator(source: source, rules: TokenRules())
        let token = try await TestIssuer.make(.es256).token(Self.claims, header: change.header)
        let signer = try authenticator.verify(token, at: .noon).get().signer
        #expect(authenticator.keys.trusts(signer))
        _ = try write(change.after, to: folder)
        #expect(await authenticator.reloadIfChanged() == .replaced(notes: []))
        #expect(authenticator.keys.trusts(signer) == change.isTrusted)
        // Never trusted where the token itself would be refused.
        let verdict = authenticator.verify(token, at: .noon)
        if change.isTrusted { #expect(throws: Never.self) { try verdict.get() } }
    }

    @Test func `is trusted no more once a secret is another one, and again when that comes back`() async throws {
        let folder = try TemporaryFolder()
        let source = KeySource(secretFile: try folder.file("secret", TestKeys.secret))
        let authenticator = try await Authenticator(source: source, rules: TokenRules())
        let signer = try await authenticator.verify(TestIssuer.hs256().token(Self.claims), at: .noon).get().signer
        try folder.file("secret", "another secret of thirty-two bytes or more")
        _ = await authenticator.reloadIfChanged()
        #expect(!authenticator.keys.trusts(signer))
        try folder.file("secret", TestKeys.secret + "\n\n")
        _ = await authenticator.reloadIfChanged()
        #expect(authenticator.keys.trusts(signer))
    }

    @Test func `is asked again where keys get names, which a token may not fit`() async throws {
        let folder = try TemporaryFolder()
        let pem = try folder.file("key.pem", PublicForm.pem(.es256))
        let none = try folder.file(
            "keys.json", PublicForm.keySet([["kty": "RSA"], try PublicForm.webKey(.edDSA, identifier: "two")]))
        let unnamed = try await Authenticator(source: KeySource(publicKeyFiles: [pem]), rules: TokenRules())
        let named = try await Authenticator(
            source: KeySource(publicKeyFiles: [pem], jwksFile: none), rules: TokenRules())
        let issuer = try await TestIssuer.make(.es256)
        let token = try issuer.token(Self.claims, header: ["kid": "one"])
        #expect(try unnamed.keys.trusts(unnamed.verify(token, at: .noon).get().signer))
        #expect(try !named.keys.trusts(unnamed.verify(token, at: .noon).get().signer))
        #expect(try named.keys.trusts(named.verify(issuer.token(Self.claims), at: .noon).get().signer))
    }

    @Test func `that nobody knows is trusted never`() async throws {
        let authenticator = try await Authenticator(
            source: KeySource(secret: Secret(TestKeys.secret)), rules: TokenRules())
        #expect(!authenticator.keys.trusts(.unknown))
    }
}
