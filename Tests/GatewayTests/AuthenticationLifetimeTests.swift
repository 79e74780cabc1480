import Gateway
import Inbox
import Testing

@Suite struct `An open connection's credentials` {
    let grace = Duration.seconds(25)

    @Test func `are asked to be renewed at their expiry, and end when the grace is over`() {
        let expiry = Timestamp.noon + .seconds(60)
        var lifetime = CredentialLifetime(expiry: expiry)
        #expect(lifetime.nextWake == expiry)
        #expect(lifetime.wake(at: expiry - .milliseconds(1), grace: grace) == .none)
        #expect(lifetime.wake(at: expiry, grace: grace) == .renew(within: grace))
        #expect(lifetime.nextWake == expiry + grace)
        #expect(lifetime.wake(at: expiry + grace - .milliseconds(1), grace: grace) == .none)
        #expect(lifetime.wake(at: expiry + grace, grace: grace) == .close)
        #expect(lifetime.nextWake == nil)
        #expect(lifetime.wake(at: expiry + .seconds(999), grace: grace) == .none)
    }

    @Test func `last longer with each new token, before and during the grace`() {
        var lifetime = CredentialLifetime(expiry: .noon)
        lifetime = CredentialLifetime(expiry: .noon + .seconds(60))
        #expect(lifetime.wake(at: .noon, grace: grace) == .none)
        #expect(lifetime.wake(at: .noon + .seconds(61), grace: grace) == .renew(within: grace))
        lifetime = CredentialLifetime(expiry: .noon + .seconds(600))
        #expect(lifetime.nextWake == .noon + .seconds(600))
        #expect(lifetime.wake(at: .noon + .seconds(100), grace: grace) == .none)
    }

    @Test func `that never expire are left alone`() {
        var lifetime = CredentialLifetime(expiry: nil)
        #expect(lifetime.nextWake == nil)
        #expect(lifetime.wake(at: .noon, grace: grace) == .none)
        lifetime = CredentialLifetime(expiry: .noon)
        #expect(lifetime.wake(at: .noon, grace: grace) == .renew(within: grace))
        lifetime = CredentialLifetime(expiry: nil)
        #expect(lifetime.wake(at: .noon + .seconds(999), grace: grace) == .none)
    }

    @Test func `that are over already get their whole grace`() {
        var lifetime = CredentialLifetime(expiry: .noon - .seconds(29))
        #expect(lifetime.wake(at: .noon, grace: grace) == .renew(within: grace))
        #expect(lifetime.nextWake == .noon + grace)
    }

    @Test func `whose key is gone are asked to be renewed at once, and only once`() {
        for expiry in [Timestamp.noon + .seconds(600), nil] {
            var lifetime = CredentialLifetime(expiry: expiry)
            #expect(lifetime.doubted(at: .noon, grace: grace) == .renew(within: grace))
            #expect(lifetime.doubted(at: .noon + .seconds(9), grace: grace) == .none)
            #expect(lifetime.nextWake == .noon + grace)
            #expect(lifetime.wake(at: .noon + grace, grace: grace) == .close)
        }
    }

    @Test func `get no longer grace when their key goes after their expiry`() {
        var lifetime = CredentialLifetime(expiry: .noon)
        #expect(lifetime.wake(at: .noon, grace: grace) == .renew(within: grace))
        #expect(lifetime.doubted(at: .noon + .seconds(20), grace: grace) == .none)
        #expect(lifetime.nextWake == .noon + grace)
    }

    @Test func `count for as long as one may at most, whatever their expiry`() {
        for (expiry, end) in [
            (Timestamp.noon + .seconds(10), Timestamp.noon + .seconds(10)),
            (Timestamp(milliseconds: 253_402_300_799_000), .noon + .seconds(60)), (nil, .noon + .seconds(60)),
        ] {
            #expect(CredentialLifetime(expiry: expiry, from: .noon, longest: .seconds(60)).nextWake == end)
        }
    }
}
