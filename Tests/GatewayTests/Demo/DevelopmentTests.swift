import Testing
import Transport

@testable import Gateway

struct DevelopmentTests {
    @Test(arguments: ["127.0.0.1:8080", "[::1]:0", "localhost:8080"])
    func `development listens on this machine alone`(_ text: String) throws {
        var settings = Settings()
        settings.listen = try #require(SocketAddress(text))
        try Development.check(settings, StartOptions())
    }

    @Test(arguments: [":8080", "0.0.0.0:8080", "[::]:8080", "example.com:8080"])
    func `an address that others reach is refused, by the listener's name`(_ text: String) throws {
        for (name, place) in [("listen", \Settings.listen), ("ops", \Settings.ops)] {
            var settings = Settings()
            settings[keyPath: place] = try #require(SocketAddress(text))
            let error = #expect(throws: ServerError.self) { try Development.check(settings, StartOptions()) }
            #expect(error?.description.contains("for \(name), not") == true)
        }
    }

    @Test func `any push service that the settings name is one`() {
        let names: [(inout Settings.Push) -> Void] = [
            { $0.apns.keyID = "k" }, { $0.fcm.serviceAccountPath = "f" }, { $0.oneSignal.appID = "o" },
            { $0.webPush.privateKeyPath = "w" },
        ]
        #expect(!Settings().namesPushService)
        for name in names {
            var settings = Settings()
            name(&settings.push)
            #expect(settings.namesPushService)
        }
    }
}
