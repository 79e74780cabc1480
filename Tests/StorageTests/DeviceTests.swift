import Inbox
import Push
import Storage
import Testing

struct DeviceTests {
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
            #expect(try await fixture.store.statistics().devices == 1)
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
            #expect(try await fixture.store.statistics().pushJobs == (isPushed ? 1 : 0))
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
            #expect(try await fixture.store.statistics().pushJobs == 0)
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
            #expect(try await fixture.store.statistics().pushJobs == 1)
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
            #expect(try await fixture.store.statistics().pushJobs == 3)
            #expect(try await fixture.store.forgetDevices(lastSeenBefore: .at(7)) == 0)
        }
    }
}
