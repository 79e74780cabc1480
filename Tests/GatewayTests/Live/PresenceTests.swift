import Dispatch
import Inbox
import Testing

@testable import Gateway

struct PresenceTests {
    private let now = ContinuousClock.now

    @Test func `right after the start anybody may be on the way back, later only who is there is live`() throws {
        let presence = Presence(maximumSessionsPerUser: 3)
        let (renee, pete) = (try user("renee"), try user("pete"))
        presence.settle(from: now, for: .seconds(15))
        #expect(presence.join(renee))
        for wait in [0, 1, 14_999] {
            #expect(presence.isLive(renee, at: now + .milliseconds(wait)))
            #expect(presence.isLive(pete, at: now + .milliseconds(wait)))
        }
        // The trail tells this case: a person was waited for, and yet is not there.
        #expect(presence.isConnected(renee) && !presence.isConnected(pete))
        #expect(presence.isLive(renee, at: now + .seconds(15)))
        #expect(!presence.isLive(pete, at: now + .seconds(15)))
    }

    @Test func `where nobody can have been connected nobody is waited for`() throws {
        let presence = Presence(maximumSessionsPerUser: 3)
        presence.settle(from: now, for: .zero)
        #expect(!presence.isLive(try user("renee"), at: now))
    }

    @Test func `there is room for as many sessions as allowed, and asking takes none of it`() throws {
        let presence = Presence(maximumSessionsPerUser: 1)
        let renee = try user("renee")
        #expect(presence.hasRoom(for: renee) && presence.hasRoom(for: renee))
        #expect(presence.join(renee))
        #expect(!presence.hasRoom(for: renee))
        presence.leave(renee)
        #expect(presence.hasRoom(for: renee))
    }

    @Test func `a user is live from the first session to the last`() throws {
        let presence = Presence(maximumSessionsPerUser: 3)
        let (renee, pete) = (try user("renee"), try user("pete"))
        #expect(!presence.isLive(renee, at: now))
        #expect(presence.join(renee) && presence.join(renee))
        #expect(presence.isLive(renee, at: now) && !presence.isLive(pete, at: now))
        presence.leave(renee)
        #expect(presence.isLive(renee, at: now))
        presence.leave(renee)
        #expect(!presence.isLive(renee, at: now))
    }

    @Test func `the limit holds for each user, and a session that leaves makes room`() throws {
        let presence = Presence(maximumSessionsPerUser: 2)
        let (renee, pete) = (try user("renee"), try user("pete"))
        #expect(presence.join(renee) && presence.join(renee))
        #expect(!presence.join(renee))
        #expect(presence.join(pete))
        presence.leave(renee)
        #expect(presence.join(renee))
        #expect(!presence.join(renee))
    }

    @Test func `one who is not there can leave without harm`() throws {
        let presence = Presence(maximumSessionsPerUser: 1)
        let renee = try user("renee")
        presence.leave(renee)
        #expect(presence.join(renee))
        #expect(!presence.join(renee))
    }

    @Test func `sessions that come on many threads are counted right`() throws {
        let presence = Presence(maximumSessionsPerUser: 100)
        let renee = try user("renee")
        DispatchQueue.concurrentPerform(iterations: 400) { index in
            if presence.join(renee), index % 2 == 0 { presence.leave(renee) }
        }
        while presence.join(renee) {}
        for _ in 0..<100 {
            #expect(presence.isLive(renee, at: now))
            presence.leave(renee)
        }
        #expect(!presence.isLive(renee, at: now))
    }
}
