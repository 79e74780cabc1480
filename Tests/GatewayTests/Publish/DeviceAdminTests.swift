import Inbox
import JSON
import Push
import Store
import Synchronization
import Testing

@testable import Gateway

/// Support people's questions about a person's devices, over the local socket.
@Suite(.mayNotHang) struct DeviceAdminTests {
    private static func device(_ id: String, _ provider: Device.Provider, permission: Device.Permission? = nil)
        -> Device
    {
        Device(
            id: id, app: "rooms", provider: provider, token: "secret-\(id)", permission: permission,
            registeredAt: .noon)
    }

    private func json(_ answer: String) throws -> JSONValue {
        let body = try #require(answer.firstRange(of: "\r\n\r\n")).upperBound
        return try JSONValue(parsing: Array(answer[body...].utf8))
    }

    @Test func `devices are listed without their tokens, with what they show`() async throws {
        var phone = Self.device("phone", .apns, permission: .provisional)
        phone.badge = 3
        let listener = try await PublishListener(DeviceStore(["sarah": [phone, Self.device("tablet", .apns)]]))
        let answer = try await listener.call("GET", "/v1/users/sarah/devices")
        let devices = try json(answer).at(["devices"])?.array ?? []
        #expect(devices.map { $0.at(["id"]) } == ["phone", "tablet"])
        #expect(devices.map { $0.at(["provider"]) } == ["apns", "apns"])
        #expect(devices.map { $0.at(["permission"]) } == ["provisional", .null])
        #expect(devices.map { $0.at(["badge"]) } == [3, .null])
        #expect(!answer.contains("secret"))
        await listener.stop()
    }

    @Test func `a backend makes a device known, by the rules by which apps register theirs`() async throws {
        let store = DeviceStore([:])
        let listener = try await PublishListener(store)
        let path = "/v1/users/sarah/devices/phone"
        let body = #"{"provider": "apns", "token": "a1b2c3d4", "app": "rooms"}"#
        let answer = try await listener.call("PUT", path, body: body)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(try json(answer).at(["device", "id"]) == "phone")
        #expect(!answer.contains("a1b2c3d4"))
        #expect(store.devices["sarah"]?.map(\.token) == ["a1b2c3d4"])
        #expect(store.devices["sarah"]?.map(\.app) == ["rooms"])
        for wrong in [
            #"{"provider": "webpush", "keys": {}}"#, #"{"provider": "apns", "token": "no hex"}"#,
            #"{"provider": "apns", "tokn": "a1"}"#,
        ] {
            #expect(try await listener.call("PUT", path, body: wrong).hasPrefix("HTTP/1.1 400 "))
        }
        #expect(try await listener.call("PUT", path + "?app=rooms", body: body).hasPrefix("HTTP/1.1 400 "))
        #expect(store.devices["sarah"]?.count == 1)
        await listener.stop()
    }

    @Test func `a device is forgotten by its id and app`() async throws {
        let listener = try await PublishListener(DeviceStore(["sarah": [Self.device("phone", .apns)]]))
        #expect(try await listener.call("DELETE", "/v1/users/sarah/devices/phone").hasPrefix("HTTP/1.1 404 "))
        #expect(try await listener.call("DELETE", "/v1/users/sarah/devices/phone?app=rooms").hasPrefix("HTTP/1.1 204 "))
        #expect(try json(try await listener.call("GET", "/v1/users/sarah/devices")).at(["devices"]) == [])
        await listener.stop()
    }

    @Test func `a test push tells each device's verdict with an explanation`() async throws {
        let store = DeviceStore([
            "sarah": [
                Self.device("phone", .apns), Self.device("tablet", .fcm), Self.device("laptop", .webpush),
                Self.device("old", .onesignal), Self.device("quiet", .apns, permission: .denied),
            ]
        ])
        let listener = try await PublishListener(
            store,
            senders: [
                .apns: ScriptedSender(always: .accepted),
                .fcm: ScriptedSender(always: .refused(reason: "SENDER_ID_MISMATCH")),
                .webpush: ScriptedSender(always: .busy(retryAfter: .seconds(30), scope: .provider)),
            ])
        let answer = try await listener.call("POST", "/v1/users/sarah/test-push", body: #"{"title": "Hello"}"#)
        let results = try json(answer).at(["results"])?.array ?? []
        #expect(results.map { $0.at(["device"]) } == ["phone", "tablet", "laptop", "old", "quiet"])
        #expect(
            results.map { $0.at(["verdict"]) } == ["accepted", "refused", "busy", "notConfigured", "skipped"])
        #expect(results[1].at(["reason"]) == "SENDER_ID_MISMATCH")
        #expect(results[2].at(["retryAfter"]) == 30)
        #expect(results.allSatisfy { $0.at(["explanation"])?.string?.isEmpty == false })
        #expect(!answer.contains("secret"))
        await listener.stop()
    }

    @Test func `a test push that did not get to its provider says why`() async throws {
        let store = DeviceStore(["sarah": [Self.device("phone", .apns)]])
        let cause = NoAnswer(reason: "cannot connect: there is no such host")
        let listener = try await PublishListener(store, senders: [.apns: ScriptedSender(always: .noAnswer(cause))])
        let answer = try await listener.call("POST", "/v1/users/sarah/test-push")
        let result = try #require(try json(answer).at(["results"])?.array?.first)
        #expect(result.at(["verdict"]) == "busy")
        #expect(result.at(["reason"]) == "cannot connect: there is no such host")
        #expect(result.at(["explanation"])?.string?.contains("there is no such host") == true)
        await listener.stop()
    }

    @Test func `a test push that nothing could authorize says nothing of the network`() async throws {
        let store = DeviceStore(["sarah": [Self.device("phone", .apns)]])
        let cause = NoAnswer(reason: "no signature", obstacle: .credential)
        let listener = try await PublishListener(store, senders: [.apns: ScriptedSender(always: .noAnswer(cause))])
        let answer = try await listener.call("POST", "/v1/users/sarah/test-push")
        let result = try #require(try json(answer).at(["results"])?.array?.first)
        #expect(result.at(["reason"]) == "no signature")
        #expect(result.at(["explanation"])?.string?.hasSuffix("Look at APNS_KEY_PATH.") == true)
        await listener.stop()
    }

    @Test func `a device that its provider calls gone is forgotten, and the answer says so`() async throws {
        let store = DeviceStore(["sarah": [Self.device("phone", .apns)]])
        let listener = try await PublishListener(
            store, senders: [.apns: ScriptedSender(always: .deviceGone(since: .noon + .seconds(1)))])
        let result = try json(try await listener.call("POST", "/v1/users/sarah/test-push")).at(["results"])?.array?
            .first
        #expect(result?.at(["verdict"]) == "gone")
        #expect(result?.at(["forgotten"]) == true)
        #expect(store.devices["sarah"] == [])
        await listener.stop()
    }

    @Test func `a device that registered after its provider lost it stays`() async throws {
        let store = DeviceStore(["sarah": [Self.device("phone", .apns)]])
        let listener = try await PublishListener(
            store, senders: [.apns: ScriptedSender(always: .deviceGone(since: .noon - .seconds(1)))])
        let result = try json(try await listener.call("POST", "/v1/users/sarah/test-push")).at(["results"])?.array?
            .first
        #expect(result?.at(["forgotten"]) == false)
        #expect(store.devices["sarah"]?.count == 1)
        await listener.stop()
    }

    @Test func `one device alone can be tried`() async throws {
        let phones = ScriptedSender(always: .accepted)
        let store = DeviceStore(["sarah": [Self.device("phone", .apns), Self.device("tablet", .apns)]])
        let listener = try await PublishListener(store, senders: [.apns: phones])
        let body = #"{"device": "tablet", "title": "Hello", "body": "Are you there?"}"#
        let results = try json(try await listener.call("POST", "/v1/users/sarah/test-push", body: body)).at(["results"])
        #expect(results?.array?.count == 1)
        let call = try #require(await phones.calls.first { _ in true })
        #expect(call.device.id == "tablet")
        #expect((call.message.texts.title, call.message.texts.body) == ("Hello", "Are you there?"))
        #expect(call.message.badge == 3)
        let unknown = try await listener.call("POST", "/v1/users/sarah/test-push", body: #"{"device": "none"}"#)
        #expect(unknown.hasPrefix("HTTP/1.1 404 ") && unknown.contains("unknown_device"))
        await listener.stop()
    }

    @Test func `a stranger has no devices, and gets no inbox by being asked for`() async throws {
        let listener = try await PublishListener(DeviceStore([:]))
        let answer = try await listener.call("POST", "/v1/users/nobody/test-push")
        #expect(try json(answer).at(["results"]) == [])
        await listener.stop()
    }

    @Test func `a test push with a forbidden member is refused with its place`() async throws {
        let listener = try await PublishListener(DeviceStore([:]))
        for (body, pointer) in [
            (#"{"text": "x"}"#, "/text"), (#"{"title": 1}"#, "/title"), (#"{"device": ""}"#, "/device"),
        ] {
            let answer = try await listener.call("POST", "/v1/users/sarah/test-push", body: body)
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
            #expect(try json(answer).at(["pointer"])?.string == pointer)
        }
        await listener.stop()
    }

    @Test func `the ways to all push services are told`() async throws {
        let listener = try await PublishListener(DeviceStore([:]), senders: [.apns: ScriptedSender(always: .accepted)])
        let lanes = try json(try await listener.call("GET", "/v1/push")).at(["lanes"])?.array ?? []
        #expect(lanes.map { $0.at(["provider"]) } == ["apns", "fcm", "onesignal", "webpush"])
        #expect(lanes.map { $0.at(["configured"]) } == [true, false, false, false])
        #expect(lanes.map { $0.at(["state"]) } == ["open", "open", "open", "open"])
        await listener.stop()
    }
}

/// Devices in memory; their users have three unread notifications.
private final class DeviceStore: RefusingStore {
    private let state: Mutex<[String: [Device]]>

    init(_ devices: [String: [Device]]) { state = Mutex(devices) }

    var devices: [String: [Device]] { state.withLock { $0 } }

    func devices(of user: UserID, completion: @escaping @Sendable (Result<[Device], StoreError>) -> Void) {
        completion(.success(devices[user.name] ?? []))
    }

    func state(of user: UserID, completion: @escaping @Sendable (Result<InboxState, StoreError>) -> Void) {
        guard devices[user.name] != nil else {
            Issue.record("an inbox was made for \(user)")
            return
        }
        completion(.success(InboxState(epoch: "e", seq: 7, unread: 3, unseen: 2, total: 9)))
    }

    func register(
        _ device: Device, for user: UserID, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        state.withLock { devices in
            let others = (devices[user.name] ?? []).filter { $0.id != device.id || $0.app != device.app }
            devices[user.name] = [device] + others
        }
        completion(.success(()))
    }

    func unregister(
        device id: String, app: String, of user: UserID,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) {
        let isKnown = state.withLock { devices in
            let before = devices[user.name] ?? []
            let after = before.filter { $0.id != id || $0.app != app }
            devices[user.name] = after
            return after.count < before.count
        }
        completion(.success(isKnown))
    }
}
