import Inbox
import JSON
import Testing

@testable import Gateway

@Suite struct `Known authorizations` {
    /// Each value another user's, if none is named.
    private func entry(_ value: String, of user: String? = nil) -> KnownAuthorization? {
        UserID(user ?? String(value.prefix(30))).map {
            KnownAuthorization(
                value: value, credentials: Credentials(user: $0, expiry: nil, claims: [:]), verifiedAt: .noon,
                end: nil)
        }
    }

    @Test func `are no more than were asked for, and the ones used last are among them`() throws {
        var known = KnownAuthorizations(maximumCount: 10, maximumBytes: 1 << 20)
        let values = (0..<1_000).map { "Bearer \($0)" }
        for (index, value) in values.enumerated() {
            known.keep(try #require(entry(value)), generation: 0)
            #expect(known.count <= 10)
            for recent in values[max(0, index - 3)...index] {
                #expect(known.find(recent, generation: 0)?.value == recent)
            }
            #expect(known.find(values[0], generation: 0) != nil, "what is used again and again stays")
        }
        #expect(known.find(values[500], generation: 0) == nil)
    }

    @Test func `take no more bytes than they may, and what is too long alone is not kept`() throws {
        var known = KnownAuthorizations(maximumCount: 1_000, maximumBytes: 64 << 10)
        for number in 0..<100 {
            let value = "Bearer \(number)" + String(repeating: "x", count: 4_000)
            known.keep(try #require(entry(value)), generation: 0)
            // Four bytes are counted for each of a text's.
            #expect(known.count <= 4)
            #expect(known.find(value, generation: 0) != nil)
        }
        let long = String(repeating: "x", count: 8_200)
        known.keep(try #require(entry(long)), generation: 0)
        #expect(known.find(long, generation: 0) == nil)
        #expect(known.count > 0)
    }

    @Test func `give back the room of what is forgotten`() throws {
        var known = KnownAuthorizations(maximumCount: 1_000, maximumBytes: 64 << 10)
        let (first, other) = ("Bearer 1", "Bearer 2" + String(repeating: "x", count: 4_000))
        known.keep(try #require(entry(first)), generation: 0)
        for _ in 0..<100 {
            known.keep(try #require(entry(other)), generation: 0)
            known.forget(other)
        }
        #expect(known.find(first, generation: 0) != nil)
        #expect(known.count == 1)
    }

    @Test func `hold for the keys that verified them alone`() throws {
        var known = KnownAuthorizations(maximumCount: 10, maximumBytes: 1 << 20)
        known.keep(try #require(entry("Bearer 1")), generation: 3)
        #expect(known.find("Bearer 1", generation: 4) == nil)
        #expect(known.count == 0)
        known.keep(try #require(entry("Bearer 1")), generation: 4)
        #expect(known.find("Bearer 1", generation: 4) != nil)
        known.keep(try #require(entry("Bearer 2")), generation: 5)
        #expect(known.count == 1)
        #expect(known.find("Bearer 1", generation: 5) == nil)
    }

    @Test func `of one user drive out nobody else's, however many tokens that user has`() throws {
        var known = KnownAuthorizations(maximumCount: 100, maximumBytes: 1 << 20)
        let others = (0..<20).map { "Bearer \($0)" }
        for value in others { known.keep(try #require(entry(value)), generation: 0) }
        for number in 0..<1_000 {
            known.keep(try #require(entry("Bearer ann-\(number)", of: "ann")), generation: 0)
        }
        #expect(known.count == others.count + KnownAuthorizations.maximumPerUser)
        for value in others { #expect(known.find(value, generation: 0) != nil) }
        // Room that the same user gives back is the user's again.
        known.forget("Bearer ann-0")
        known.keep(try #require(entry("Bearer ann-7777", of: "ann")), generation: 0)
        #expect(known.find("Bearer ann-7777", generation: 0) != nil)
    }
}
