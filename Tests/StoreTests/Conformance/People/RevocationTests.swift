import Inbox
import Store
import Testing

@Suite(.everyEngine) struct RevocationTests {
    private static func revocation(_ user: UserID, _ second: Int64) -> Revocation {
        Revocation(user: user, issuedBefore: .at(second))
    }

    @Test func `a revocation is kept and told, and outlives the process`() async throws {
        try await withStore { fixture in
            #expect(try await fixture.store.revocations() == [])
            try await fixture.store.revoke(Self.revocation(.ada, 7))
            try await fixture.store.revoke(Self.revocation(.bob, 8))
            #expect(fixture.commits.flatMap(\.revoked) == [Self.revocation(.ada, 7), Self.revocation(.bob, 8)])
            let kept: Set = [Self.revocation(.ada, 7), Self.revocation(.bob, 8)]
            #expect(try await fixture.store.revocations() == kept)
            let again = try await fixture.reopened()
            #expect(try await again.store.revocations() == kept)
            await again.store.close()
        }
    }

    @Test func `a person's last revocation counts, in whatever order they come`() async throws {
        try await withStore { fixture in
            for second: Int64 in [7, 9, 8] { try await fixture.store.revoke(Self.revocation(.ada, second)) }
            #expect(try await fixture.store.revocations() == [Self.revocation(.ada, 9)])
        }
    }

    @Test func `a revocation makes no inbox`() async throws {
        try await withStore { fixture in
            try await fixture.store.revoke(Self.revocation(.ada, 7))
            #expect(try await fixture.store.isKnown(.ada) == false)
        }
    }

    @Test(arguments: [true, false])
    func `an erasure removes the person's revocation, with or without an inbox, and tells`(
        _ hasInbox: Bool
    ) async throws {
        try await withStore { fixture in
            if hasInbox { try await fixture.say("hi", to: .ada) }
            for user in [UserID.ada, .bob] { try await fixture.store.revoke(Self.revocation(user, 7)) }
            #expect(try await fixture.store.erase(.ada).hadInbox == hasInbox)
            #expect(fixture.commits.flatMap(\.erased) == [.ada])
            #expect(try await fixture.store.revocations() == [Self.revocation(.bob, 7)])
        }
    }

    @Test func `an erasure of somebody unknown tells nothing`() async throws {
        try await withStore { fixture in
            try await fixture.store.erase(.ada)
            #expect(fixture.commits.flatMap(\.erased) == [])
        }
    }
}
