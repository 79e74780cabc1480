import Push
import Testing

@testable import Gateway

struct SinkServiceTests {
    @Test(arguments: [
        ("/3/device/a1b2", "apns"), ("/3/x", "apns"), ("/v1/projects/p/messages:send", "fcm"),
        ("/notifications?c=push", "onesignal"), ("/api/v1/notifications", "onesignal"), ("/webpush/a?b", "webpush"),
        ("/token", "token"), ("/", nil), ("/script", nil), ("/tokens", nil), ("/notifications/1", nil),
    ])
    func `a path tells whose a request is`(path: String, name: String?) throws {
        let folder = try TemporaryFolder()
        let parts = SinkParts(
            folder: try SinkFolder(folder.path), apnsKeyFile: nil, baseURL: "https://localhost", origins: [])
        let services = try PushServices.standard.all.compactMap { try $0.makeSinkService(parts) }
        let routes = services.compactMap { $0.route(path: path.prefix { $0 != "?" }) }
        #expect(routes.map(\.name) == (name.map { [$0] } ?? []))
    }
}
