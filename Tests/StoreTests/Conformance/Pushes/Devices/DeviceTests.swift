import Inbox
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct DeviceTests {
    /// Two registrations of a device, and the token that it has then.
    struct Telling: Sendable {
        let first: Device.Registrar
        let then: Device.Registrar
        let token: String
    }

    @Test(arguments: [
        Telling(first: .person, then: .anybody, token: "token-1"),
        Telling(first: .person, then: .person, token: "token-2"),
        Telling(first: .person, then: .backend, token: "token-2"),
        Telling(first: .backend, then: .anybody, token: "token-2"),
        Telling(first: .backend, then: .person, token: "token-2"),
        Telling(first: .backend, then: .backend, token: "token-2"),
    ]) func `only a call with a token changes a device that a person's own app has told of`(_ row: Telling)
        async throws
    {
        try await withStore { fixture in
            var (first, then) = (Device.phone(), Device.phone(token: "token-2"))
            (first.registrar, then.registrar) = (row.first, row.then)
            try await fixture.store.register(first, for: .ada)
            try await fixture.store.register(then, for: .ada)
            #expect(try await fixture.store.devices(of: .ada).map(\.token) == [row.token])
        }
    }

    @Test func `a person's token is taken by nobody for another device, and a device stays who has told of it`()
        async throws
    {
        try await withStore { fixture in
            var (backends, taken, again) = (Device.phone("b"), Device.phone("b"), Device.phone("b", token: "token-3"))
            (backends.token, backends.registrar) = ("token-2", .backend)
            (taken.registrar, again.registrar) = (.anybody, .anybody)
            try await fixture.store.register(.phone("a"), for: .ada)
            try await fixture.store.register(backends, for: .bob)
            try await fixture.store.register(taken, for: .bob)
            #expect(try await fixture.store.devices(of: .ada).map(\.token) == ["token-1"])
            #expect(try await fixture.store.devices(of: .bob).map(\.token) == ["token-2"])
            try await fixture.store.register(again, for: .bob)
            #expect(try await fixture.store.devices(of: .bob).map(\.registrar) == [.backend])
        }
    }

    @Test func `a person's device stays protected after a backend has given it another token`() async throws {
        try await withStore { fixture in
            var (backends, anybodys) = (Device.phone(token: "token-2"), Device.phone(token: "token-3"))
            (backends.registrar, anybodys.registrar) = (.backend, .anybody)
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.register(backends, for: .ada)
            try await fixture.store.register(anybodys, for: .ada)
            #expect(try await fixture.store.devices(of: .ada).map(\.token) == ["token-2"])
        }
    }

    @Test func `a device belongs to who registered it last`() async throws {
        try await withStore { fixture in
            #expect(try await fixture.store.owner(ofDevice: "phone") == nil)
            try await fixture.store.register(.phone(at: .at(1)), for: .ada)
            #expect(try await fixture.store.owner(ofDevice: "phone") == .ada)
            try await fixture.store.register(.phone(token: "token-2", at: .at(2)), for: .bob)
            #expect(try await fixture.store.owner(ofDevice: "phone") == .bob)
        }
    }

    @Test func `a token moves to its new owner, and nothing meant for the old one follows it`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("for ada", to: .ada)
            try await fixture.store.register(.phone(), for: .bob)
            try await fixture.say("for both", to: .ada, .bob)
            let jobs = try await fixture.store.leasePushJobs(at: .at(0)).jobs
            #expect(jobs.map(\.user) == [.bob])
            #expect(jobs.map(\.body) == ["for both"])
        }
    }

    @Test func `a token that comes back under another device id leaves one device`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone("before"), for: .ada)
            try await fixture.store.register(.phone("after"), for: .ada)
            try await fixture.say("hi", to: .ada)
            #expect(try await fixture.store.leasePushJobs(at: .at(0)).jobs.map(\.device.id) == ["after"])
            #expect(try await fixture.store.owner(ofDevice: "before") == nil)
        }
    }

    @Test func `registering again renews token and time, and waiting pushes go to the new token`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(at: .at(1)), for: .ada)
            try await fixture.say("hi", to: .ada)
            let renewed = Device.phone(token: "token-2", at: .at(5))
            try await fixture.store.register(renewed, for: .ada)
            #expect(try await fixture.store.leasePushJobs(at: .at(6)).jobs.map(\.device) == [renewed])
        }
    }

    @Test func `the same token of two providers are two devices`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let other = Device(id: "other", provider: .fcm, token: "token-1", registeredAt: .at(0))
            try await fixture.store.register(other, for: .ada)
            try await fixture.say("hi", to: .ada)
            for provider in [Device.Provider.apns, .fcm] {
                #expect(try await fixture.store.leasePushJobs(for: provider, at: .at(0)).jobs.count == 1)
            }
        }
    }

    @Test func `devices are known when the store is opened again`() async throws {
        try await withStore { first in
            try await first.store.register(.phone(), for: .ada)
            let second = try await first.reopened()
            try await second.say("hi", to: .ada)
            #expect(try await second.store.leasePushJobs(at: .at(0)).jobs.map(\.device) == [.phone()])
            await second.store.close()
        }
    }

    @Test func `all that an app tells about a device is kept, and the one seen last comes first`() async throws {
        try await withStore { fixture in
            var browser = Device(
                id: "firefox", app: "rooms", provider: .webpush, token: "https://push.example/1",
                keys: WebPushKeys(
                    p256dh: [4] + [UInt8](repeating: 9, count: 64), auth: [UInt8](repeating: 3, count: 16)),
                platform: "web", locale: "pt-BR", zone: "Europe/Berlin", permission: .provisional,
                registeredAt: .at(1))
            var phone = Device.phone(at: .at(2))
            phone.environment = .sandbox
            for device in [browser, phone] { try await fixture.store.register(device, for: .ada) }
            #expect(try await fixture.store.devices(of: .ada) == [phone, browser])
            (browser.registeredAt, browser.lastSeenAt, browser.permission) = (.at(5), .at(5), .denied)
            try await fixture.store.register(browser, for: .ada)
            // The same token: it is as old as before.
            browser.registeredAt = .at(1)
            #expect(try await fixture.store.devices(of: .ada) == [browser, phone])
            #expect(try await fixture.store.devices(of: .bob).isEmpty)
        }
    }

    @Test func `one installation's name may stand for one device in each app`() async throws {
        try await withStore { fixture in
            for (app, token) in [("rooms", "token-1"), ("posts", "token-2")] {
                var phone = Device.phone(token: token)
                phone.app = app
                try await fixture.store.register(phone, for: app == "rooms" ? .ada : .bob)
            }
            #expect(try await fixture.store.owner(ofDevice: "phone", app: "rooms") == .ada)
            #expect(try await fixture.store.owner(ofDevice: "phone", app: "posts") == .bob)
            #expect(try await fixture.store.unregister("phone", app: "posts", of: .ada) == false)
            #expect(try await fixture.store.unregister("phone", app: "rooms", of: .ada))
            #expect(try await fixture.statistics().devices == 1)
        }
    }

    @Test(
        arguments: [("rooms", nil, true), ("", nil, true), ("posts", nil, false), ("rooms", .denied, false)]
            as [(String, Device.Permission?, Bool)])
    func `a push goes to devices of its app that may show it`(
        _ app: String, _ permission: Device.Permission?, isPushed: Bool
    ) async throws {
        let yaml = StoreFixture.yaml.replacing("catalog: tests", with: "catalog: tests\napp: rooms")
        try await withStore(yaml: yaml) { fixture in
            var phone = Device.phone()
            (phone.app, phone.permission) = (app, permission)
            try await fixture.store.register(phone, for: .ada)
            try await fixture.say("hi", to: .ada)
            #expect(try await fixture.statistics().pushJobs == (isPushed ? 1 : 0))
        }
    }

    @Test func `a person who forbids pushes gets none that wait already`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .ada)
            var phone = Device.phone()
            phone.permission = .denied
            try await fixture.store.register(phone, for: .ada)
            #expect(try await fixture.store.leasePushJobs(at: .at(0)).jobs.isEmpty)
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `a device that changes its provider takes its waiting pushes along`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            for text in ["one", "two"] { try await fixture.say(text, to: .ada) }
            let old = try await fixture.job(at: .at(0))
            let renewed = Device(id: "phone", provider: .fcm, token: "token-f", registeredAt: .at(1))
            try await fixture.store.register(renewed, for: .ada)
            #expect(try await fixture.store.leasePushJobs(at: .at(99)).jobs.isEmpty)
            #expect(try await fixture.job(of: .fcm, at: .at(1)).body == "one")
            try await fixture.store.settle(old, as: .finish)
            #expect(try await fixture.statistics().pushJobs == 1)
        }
    }

    @Test func `devices whose app was not opened for long are forgotten step by step`() async throws {
        let configure: StoreFixture.Configuration = { $0.devicesPerStep = 3 }
        try await withStore(configure) { fixture in
            for second in Int64(0)..<10 {
                try await fixture.store.register(
                    .phone("phone-\(second)", token: "token-\(second)", at: .at(second)), for: .ada)
            }
            try await fixture.say("hi", to: .ada, at: .at(10))
            #expect(try await fixture.store.forgetDevices(lastSeenBefore: .at(7)) == 7)
            let left = try await fixture.store.devices(of: .ada).map(\.id)
            #expect(left == ["phone-9", "phone-8", "phone-7"])
            #expect(try await fixture.statistics().pushJobs == 3)
            #expect(try await fixture.store.forgetDevices(lastSeenBefore: .at(7)) == 0)
        }
    }

    /// Of which app and whose a device `phone` is known; which app asks; what it finds.
    private static let lookUps: [(known: [(app: String, user: UserID)], app: String, found: Installation?)] = [
        ([("rooms", .ada)], "", Installation(user: .ada, app: "rooms")),
        ([("rooms", .ada)], "rooms", Installation(user: .ada, app: "rooms")),
        ([("", .ada)], "rooms", Installation(user: .ada, app: "")),
        ([("rooms", .ada)], "posts", nil),
        ([("", .ada), ("rooms", .bob)], "rooms", Installation(user: .bob, app: "rooms")),
        ([("rooms", .bob), ("", .ada)], "rooms", Installation(user: .bob, app: "rooms")),
        // The exact one comes first, then the one seen last.
        ([("", .ada), ("rooms", .bob)], "", Installation(user: .ada, app: "")),
        ([("rooms", .ada), ("posts", .bob)], "", Installation(user: .bob, app: "posts")),
    ]

    @Test(arguments: lookUps.indices)
    func `an app finds its device by the id, whichever app was named when it was made known`(row: Int) async throws {
        let row = Self.lookUps[row]
        try await withStore { fixture in
            for (number, known) in row.known.enumerated() {
                var phone = Device.phone(token: "token-\(number)", at: .at(Int64(number)))
                phone.app = known.app
                try await fixture.store.register(phone, for: known.user)
            }
            #expect(try await fixture.store.installation(ofDevice: "phone", app: row.app) == row.found)
            #expect(try await fixture.store.installation(ofDevice: "phone", app: row.app, of: .cleo) == nil)
            let own = try await fixture.store.installation(ofDevice: "phone", app: row.app, of: row.found?.user)
            #expect(own == row.found)
        }
    }

    @Test func `a browser keeps its scope and its end, and is found by its address`() async throws {
        try await withStore { fixture in
            let (store, golf) = (fixture.store, try #require(AppName("golf")))
            var browser = Device(id: "web", provider: .webpush, token: "https://push.example/1", registeredAt: .at(0))
            (browser.scope, browser.expiresAt) = ("https://app.example/", .at(60))
            try await store.register(browser, for: .ada)
            let found = try await store.device(of: .webpush, token: browser.token)
            #expect(found == OwnedDevice(user: .ada, device: browser))
            #expect(try await store.devices(of: .ada).map(\.expiresAt) == [.at(60)])
            (browser.scope, browser.expiresAt) = (nil, nil)
            browser.token += "2"
            try await store.register(browser, for: .ada)
            #expect(try await store.device(of: .webpush, token: "https://push.example/1") == nil)
            #expect(try await store.device(of: .webpush, token: browser.token)?.device == browser)
            #expect(try await store.device(of: .fcm, token: browser.token) == nil)
            #expect(try await store.device(of: .webpush, token: browser.token, in: golf) == nil)
        }
    }

    private func awaited(_ id: String = "phone", of user: UserID, at now: Timestamp = .at(0)) -> Device {
        Device(
            id: id, provider: .apns, token: Device.awaitedToken(ofDevice: id, app: "", of: user), registeredAt: now)
    }

    @Test func `a device without a token gets no pushes until its app tells one`() async throws {
        try await withStore { fixture in
            for user in [UserID.ada, .bob] { try await fixture.store.register(awaited(of: user), for: user) }
            #expect(try await fixture.statistics().devices == 2)
            try await fixture.say("before", to: .ada)
            #expect(try await fixture.statistics().pushJobs == 0)
            try await fixture.store.register(.phone(at: .at(5)), for: .ada)
            try await fixture.say("after", to: .ada, at: .at(6))
            #expect(try await fixture.job(at: .at(6)).body == "after")
            let devices = try await fixture.store.devices(of: .ada)
            #expect(devices.map(\.awaitsToken) == [false])
            #expect(devices.first?.registeredAt == .at(5))
        }
    }

    @Test func `naming a device without a token leaves the one that is known`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("one", to: .ada)
            var again = awaited(of: .ada, at: .at(9))
            again.provider = .fcm
            again.locale = "de"
            try await fixture.store.register(again, for: .ada)
            let device = try #require(try await fixture.store.devices(of: .ada).first)
            #expect((device.provider, device.token, device.locale) == (.apns, "token-1", "de"))
            #expect((device.registeredAt, device.lastSeenAt) == (.at(0), .at(9)))
            #expect(try await fixture.job(at: .at(9)).body == "one")
        }
    }
}
