import Dispatch
import Inbox
import Testing

@testable import Gateway

struct PresenceTests {
    @Test func `a user is live from the first session to the last`() throws {
        let presence = Presence(maximumSessionsPerUser: 3)
        let (renee, pete) = (try user("renee"), try user("pete"))
        #expect(!presence.isLive(renee))
        #expect(presence.join(renee) && presence.join(renee))
        #expect(presence.isLive(renee) && !presence.isLive(pete))
        presence.leave(renee)
        #expect(presence.isLive(renee))
        presence.leave(renee)
        #expect(!presence.isLive(renee))
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
            #expect(presence.isLive(renee))
            presence.leave(renee)
        }
        #expect(!presence.isLive(renee))
    }
}
