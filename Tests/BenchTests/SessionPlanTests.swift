import Testing

@testable import Bench

struct SessionPlanTests {
    private func plan(_ count: Int) -> SessionPlan {
        SessionPlan(url: "ws://127.0.0.1:1/", speech: .belfry(feed: "a", confirmsAcks: true), indices: 0..<count)
    }

    @Test(arguments: [(10, 3), (1, 1), (1_000, 7), (5, 5)])
    func `shares the sessions among workers without a gap, and the pace too`(_ count: Int, _ workers: Int) throws {
        var whole = plan(count)
        whole.ramp = 700
        let shares = whole.split(among: workers)
        #expect(shares.flatMap { Array($0.indices) } == Array(0..<count))
        let counts = shares.map(\.indices.count).sorted()
        #expect(try #require(counts.last) - #require(counts.first) <= 1)
        #expect(abs(shares.compactMap(\.ramp).reduce(0, +) - 700) < 0.001)
    }

    @Test func `needs tokens if the address, a header or an opening message has one`() throws {
        var plan = SessionPlan(url: "ws://127.0.0.1:1/", speech: .raw(RawSpeech()), indices: 0..<1)
        #expect(!plan.needsTokens)
        plan.url = "ws://127.0.0.1:1/?token={{token}}"
        #expect(plan.needsTokens)
        plan.url = "ws://127.0.0.1:1/"
        plan.headers = [.init(name: "Authorization", value: try Template("Bearer {{token}}"))]
        #expect(plan.needsTokens)
        plan.headers = []
        var speech = RawSpeech()
        speech.opening = [try Template("SUB {{user}}"), try Template("AUTH {{token}}")]
        plan.speech = .raw(speech)
        #expect(plan.needsTokens)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.9.9.9", true), ("localhost", true), ("::1", true), ("10.0.0.1", false),
        ("127.example.com", false), ("::2", false),
    ])
    func `knows this machine's own addresses`(_ host: String, _ isLoopback: Bool) {
        #expect(SourceAddresses.isLoopback(host) == isLoopback)
    }

    @Test func `spreads many sessions to this machine over its addresses, and few or others not at all`() {
        #expect(SourceAddresses.loopback(for: "127.0.0.1", sessions: 20_000).isEmpty)
        #expect(
            SourceAddresses.loopback(for: "127.0.0.1", sessions: 45_000) == ["127.0.0.2", "127.0.0.3", "127.0.0.4"])
        #expect(SourceAddresses.loopback(for: "10.0.0.1", sessions: 100_000).isEmpty)
        #expect(SourceAddresses.loopback(for: "::1", sessions: 100_000).isEmpty)
        #expect(Set(SourceAddresses.loopback(for: "127.0.0.1", sessions: 10_000_000)).count == 500)
    }
}
