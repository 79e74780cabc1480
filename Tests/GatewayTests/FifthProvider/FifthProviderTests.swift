import Inbox
import JSON
import Push
import Testing
import Transport
import WireProtocol

@testable import Gateway

/// A push service takes a folder and a place in the list, and nothing else.
@Suite(.mayNotHang)
struct FifthProviderTests {
    private let sender = ScriptedSender(always: .accepted)
    private var services: PushServices { PushServices(PushServices.standard.all + [PigeonService(sender: sender)]) }

    private func server() async throws -> TestServer {
        try await TestServer { settings in
            settings.services = services
            settings.push.pigeon.loft = "north"
        }
    }

    @Test func `its devices get what nobody has seen, and all who look are told of it`() async throws {
        let server = try await server()
        let device = try await server.call(
            "PUT", "/api/devices/bird", as: "sarah", body: #"{"provider": "pigeon", "ring": "42"}"#)
        #expect(device.status == 200, "\(String(decoding: device.body, as: UTF8.self))")
        #expect(try device.json.at(["data", "provider"]) == "pigeon")
        let published = try await server.publish(RoomsEvent.liked(to: "sarah"))
        #expect(published.status == 202)
        var calls = sender.calls.makeAsyncIterator()
        let call = try #require(await calls.next())
        #expect((call.device.provider, call.device.token) == (.pigeon, "42"))
        let lanes = try #require(try await server.admin("GET", "/v1/push").json.at(["lanes"])?.array)
        #expect(lanes.compactMap { $0.at(["provider"])?.string } == ["apns", "fcm", "onesignal", "webpush", "pigeon"])
        await server.stop()
    }

    @Test(arguments: [
        (#"{"provider": "pigeon", "ring": "x"}"#, "the number on the pigeon's ring"),
        (#"{"provider": "fcm", "token": "t", "ring": "42"}"#, "expected only with the provider pigeon"),
        (#"{"provider": "owl", "token": "t"}"#, "apns, fcm, onesignal, webpush or pigeon"),
    ])
    func `a mistake in a registration is told in the provider's words`(body: String, words: String) throws {
        var settings = Settings()
        settings.services = services
        let request = DeviceRequest(
            user: try #require(UserID("sarah")), now: .noon, settings: settings)
        var warnings: [String] = []
        let problem = #expect(throws: Problem.self) {
            try request.device(id: "bird", Array(body.utf8), &warnings)
        }
        #expect(problem?.detail.contains(words) == true, "\(problem?.detail ?? "")")
    }

    @Test func `its settings are read, printed and told apart as all others`() throws {
        var settings = Settings()
        settings.services = services
        var reader = SettingsReader(settings)
        reader.read(environment: ["PIGEON_LOFT": "south"])
        let read = try reader.finish()
        #expect(read.push.pigeon.loft == "south")
        #expect(read.redactedDescription.contains("push.pigeon.loft: south"))
        #expect(read != settings && read.namesPushService && !settings.namesPushService)
    }

    @Test func `a sink plays it, and scripts name it`() throws {
        let folder = try TemporaryFolder()
        let parts = SinkParts(
            folder: try SinkFolder(folder.path), apnsKeyFile: nil, baseURL: "https://localhost", origins: [])
        let sink = try #require(try services[.pigeon]?.makeSinkService(parts))
        #expect(sink.route(path: "/pigeons/42") == .push(.pigeon))
        let script = try SinkScript(
            parsing: #"{"provider": "pigeon", "fault": "refuseStream"}"#, of: services.providers)
        #expect(script.rules.map(\.route) == [.push(.pigeon)])
    }

    @Test func `its words are explained`() {
        let text = Verdict.refused(reason: "HAWK").explanation(from: .pigeon)
        #expect(text == "The loft refused the push: HAWK. Wait until it has left.")
    }
}
