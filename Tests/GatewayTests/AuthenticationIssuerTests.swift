import Foundation
import Gateway
import Inbox
import JSON
import JWTKit
import Testing

@Suite struct `Tokens for development` {
    @Test func `are accepted by a server that works on the same data folder, whatever its rules`() async throws {
        let folder = try TemporaryFolder()
        let keys = try PublicForm.keySet([PublicForm.webKey(.es256, identifier: "k")])
        var settings = Settings()
        settings.isDevelopment = true
        settings.data = "\(folder.path)/deep/data"
        settings.auth.jwksFile = try folder.file("keys.json", keys)
        settings.auth.algorithms = [.es256]
        settings.auth.audience = ["app"]
        settings.auth.issuer = "https://id.example.com"
        settings.auth.userClaim = "app.user"
        let issuer = try TokenIssuer(
            secret: DevelopmentSecret.load(in: settings.data), rules: settings.auth.rules())
        let user = try #require(UserID("user-7"))
        let token = try issuer.token(for: user, at: .noon, lifetime: .seconds(3_600))
        let credentials = try await Authenticator(settings).verify(#require(BearerToken(token)), at: .noon).get()
        #expect(credentials.user == user)
        #expect(credentials.expiry == .noon + .seconds(3_600))

        settings.isDevelopment = false
        let strict = try await Authenticator(settings)
        #expect(strict.verify(try #require(BearerToken(token)), at: .noon) == .failure(.algorithmNotAllowed))
    }

    @Test func `are signed with a secret that is made once and is its owner's only`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let secrets = try await withThrowingTaskGroup(of: Secret.self) { group in
            for _ in 0..<8 { group.addTask { try DevelopmentSecret.load(in: path) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(secrets.count == 1)
        #expect(secrets.first.map { $0.text.utf8.count >= 32 } == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["dev-secret"])
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/dev-secret")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect("\(secrets)".contains("<secret>"))
    }

    @Test func `are read by the library too`() async throws {
        let issuer = try TokenIssuer(secret: Secret(TestKeys.secret))
        let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        let user = try #require(UserID("é\"7"))
        let token = try issuer.token(for: user, at: now, lifetime: .seconds(60))
        let payload = try await TestIssuer.hs256().collection.verify(token, as: TestPayload.self)
        #expect(payload.sub.value == user.name)
    }
}
