import Inbox
import Store
import Testing

@testable import Gateway

/// How many sessions a revocation has ended.
struct RevokedSessionsTests {
    private static func revocation(_ name: String = "sarah", at second: Int64 = 0) throws -> Revocation {
        Revocation(user: try #require(UserID(known: name)), issuedBefore: .noon + .seconds(second))
    }

    @Test func `whoever asks after the news gets the number that the news has ended`() throws {
        var revoked = RevokedSessions()
        #expect(revoked.add(3, by: try Self.revocation()) == 3)
        #expect(revoked.add(0, by: try Self.revocation()) == 3)
        #expect(revoked.add(1, by: try Self.revocation()) == 4)
    }

    @Test func `each revocation has a number of its own`() throws {
        var revoked = RevokedSessions()
        #expect(revoked.add(3, by: try Self.revocation()) == 3)
        #expect(revoked.add(0, by: try Self.revocation("tom")) == 0)
        #expect(revoked.add(0, by: try Self.revocation(at: 1)) == 0)
    }

    @Test func `a number is forgotten with a revocation of some seconds later`() throws {
        var revoked = RevokedSessions()
        #expect(revoked.add(3, by: try Self.revocation()) == 3)
        #expect(revoked.add(1, by: try Self.revocation("tom", at: 9)) == 1)
        #expect(revoked.add(0, by: try Self.revocation()) == 3)
        #expect(revoked.add(0, by: try Self.revocation("tom", at: 11)) == 0)
        #expect(revoked.add(0, by: try Self.revocation()) == 0)
        #expect(revoked.add(0, by: try Self.revocation("tom", at: 9)) == 1)
    }
}
