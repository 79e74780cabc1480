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
            #expect(jobs.map(\.content.body) == ["for both"])
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
            #expect(try await fixture.store.leasePushJobs(at: .at(0)).jobs.count == 2)
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
}
