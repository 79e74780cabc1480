import Foundation
import Gateway
import Inbox
import Store
import Transport

/// A server with the feeds of an app of posts and saved queries, and of rooms.
enum FeedServer {
    private static let catalog = """
        catalog: feeds
        events: {}
        types: {}
        feeds:
          posts: {access: public, id: id, author: author.email, time: created_at, tags: tags, length: 5000}
          users: {access: public, id: id, author: email, time: completed_at}
          "query:*": {access: {claim: queries}, author: author.email}
          "room:*": {access: {topic: "room:*"}, tags: tags}
          "cursor:*": {access: public, time: at, tags: tags, length: 0}
        """

    /// Runs a test against a server of its own.
    static func run(
        _ poller: PollerKind = .epoll, undeclared: Settings.Feeds.Undeclared = .public, pollsWithoutToken: Bool = false,
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let file = NSTemporaryDirectory() + "belfry-feeds-\(UUID().uuidString).yaml"
        try catalog.write(toFile: file, atomically: true, encoding: .utf8)
        let server = try await TestServer(poller) { settings in
            settings.catalogs.append(file)
            settings.feeds.undeclared = undeclared
            settings.auth.pollWithoutToken = pollsWithoutToken
        }
        try FileManager.default.removeItem(atPath: file)
        let result: Result<Void, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        await server.stop()
        try result.get()
    }

    static func post(_ id: String, by email: String = "pete@x.org", tags: [String] = ["post"]) -> String {
        let tags = tags.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"id":"\#(id)","author":{"email":"\#(email)"},"created_at":"2024-12-09T18:00:00Z","tags":[\#(tags)]}"#
    }
}

extension TestServer {
    /// Puts somebody into a topic, or takes them out.
    func change(_ user: String, in topic: String, isMember: Bool) async throws {
        guard let user = UserID(user) else { throw ServerError("a test's user needs a name") }
        _ = try await withCheckedThrowingContinuation { waiting in
            server.node.store.changeMembers(
                of: topic, adding: isMember ? [user] : [], removing: isMember ? [] : [user]
            ) { waiting.resume(with: $0) }
        }
    }
}
