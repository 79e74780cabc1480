import JSON
import Testing

@testable import Gateway

/// When a provider's keys are fetched. The clock is the test's.
@Suite struct `A provider's keys` {
    private final class Owner {
        var refresh: KeyRefresh
        init(_ refresh: KeyRefresh) { self.refresh = refresh }
    }

    private let start = ContinuousClock.now
    private let owner: Owner
    private static let keys = KeyRefresh.Step.install([["kid": "one"]])
    private static let discovery = FetchedAnswers.issuer + ".well-known/openid-configuration"

    init() throws {
        let issuer = try #require(ProviderURL(FetchedAnswers.issuer))
        owner = Owner(KeyRefresh(KeyRefresh.Plan(issuer: issuer), at: start))
    }

    private func next(at second: Int) -> KeyRefresh.Step { owner.refresh.next(at: at(second)) }

    /// Whether the name may be good, and whether the next fetch is due sooner.
    private func ask(_ name: Int, at second: Int) -> (mayBeGood: Bool, isSooner: Bool) {
        owner.refresh.unknownKey(name, at: at(second))
    }

    private func receive(_ answer: FetchedDocument, at second: Int, chance: Double = 0) -> FetchFault? {
        owner.refresh.received(answer, at: at(second), chance: chance)
    }

    private func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    /// The provider answers everything that is asked of it at a moment.
    private func answer(at second: Int, maxAge: Int = 600, chance: Double = 0) throws {
        if case .fetch(Self.discovery) = next(at: second) {
            #expect(receive(FetchedAnswers.settings, at: second, chance: chance) == nil)
        }
        #expect(next(at: second) == .fetch(FetchedAnswers.keysURL))
        #expect(receive(FetchedAnswers.keySet(maxAge: maxAge), at: second, chance: chance) == nil)
        #expect(next(at: second) == Self.keys)
        owner.refresh.installed(at: at(second), chance: chance)
    }

    private func fail(at second: Int) {
        guard case .fetch = next(at: second) else {
            Issue.record("nothing is fetched")
            return
        }
        owner.refresh.failed(.noAnswer("down"), at: at(second), chance: 0)
    }

    @Test func `are found through the issuer's settings, and then fetched without these`() throws {
        #expect(next(at: 0) == .fetch(Self.discovery))
        try answer(at: 0)
        #expect(owner.refresh.fetched == start)
        #expect(next(at: 480) == .fetch(FetchedAnswers.keysURL))
    }

    @Test func `are fetched at once from the address in the settings, where there is one`() throws {
        let url = try #require(ProviderURL("https://other.example/keys?policy=a"))
        let plan = KeyRefresh.Plan(issuer: try #require(ProviderURL(FetchedAnswers.issuer)), keysURL: url)
        owner.refresh = KeyRefresh(plan, at: start)
        #expect(next(at: 0) == .fetch(url.text))
    }

    @Test(arguments: [(600, 0.0, 480), (600, 0.999, 569), (0, 0, 24), (86_400, 0, 2_880)])
    func `are fetched again before they are stale, within the bounds of the settings`(
        _ maxAge: Int, _ chance: Double, _ due: Int
    ) throws {
        try answer(at: 0, maxAge: maxAge, chance: chance)
        guard case .wait(let moment) = next(at: 1) else {
            Issue.record("something is due")
            return
        }
        #expect(Int((moment - start) / .seconds(1)) == due)
    }

    @Test func `stay while the provider is down, and are asked for ever more rarely`() throws {
        try answer(at: 0)
        var (second, waits) = (480, [Int]())
        for _ in 1...9 {
            fail(at: second)
            guard case .wait(let moment) = next(at: second) else { return }
            let next = Int((moment - start) / .seconds(1))
            waits.append(next - second)
            second = next
        }
        #expect(owner.refresh.fetched == start)
        // Only the random part of a wait grows, and this test's chance is the smallest.
        #expect(waits == Array(repeating: 10, count: 9))
        #expect(owner.refresh.failures == 9)
        try answer(at: second)
        #expect(owner.refresh.failures == 0)
    }

    @Test func `are looked for anew after an answer that has none, as they may have moved`() throws {
        try answer(at: 0)
        _ = next(at: 480)
        #expect(receive(FetchedAnswers.document("gone", status: 404), at: 480, chance: 0) != nil)
        #expect(next(at: 490) == .fetch(Self.discovery))
    }

    @Test func `are looked for at the same address after no answer`() throws {
        try answer(at: 0)
        fail(at: 480)
        #expect(next(at: 490) == .fetch(FetchedAnswers.keysURL))
    }

    @Test func `are looked for anew once a day`() throws {
        try answer(at: 0)
        #expect(next(at: 86_400) == .fetch(Self.discovery))
    }

    @Test func `are fetched at once when a token names another one`() throws {
        try answer(at: 0)
        #expect(ask(7, at: 100) == (true, true))
        try answer(at: 100)
        // The round began after the name was seen: it is none of the provider's.
        #expect(ask(7, at: 101).mayBeGood == false)
    }

    @Test func `are fetched once in thirty seconds at most, however many names come`() throws {
        try answer(at: 0)
        var fetches = 0
        for second in 1...300 {
            for name in 0..<10 { _ = ask(second * 10 + name, at: second) }
            if case .fetch = next(at: second) {
                fetches += 1
                try answer(at: second)
            }
        }
        #expect(fetches == 10)
    }

    @Test func `may hold a name that came right after a fetch, until the next one has answered`() throws {
        try answer(at: 0)
        #expect(ask(7, at: 1) == (true, true))
        #expect(next(at: 29) == .wait(until: at(30)))
        #expect(ask(7, at: 29) == (true, false))
        try answer(at: 30)
        #expect(ask(7, at: 31).mayBeGood == false)
        #expect(ask(8, at: 31).mayBeGood)
    }

    @Test func `may hold any name while a fetch is under way or has failed`() throws {
        #expect(ask(7, at: 0).mayBeGood)
        _ = next(at: 0)
        #expect(ask(7, at: 1) == (true, false))
        owner.refresh.failed(.noAnswer("down"), at: at(5), chance: 0)
        #expect(ask(7, at: 6).mayBeGood)
        try answer(at: 30)
        #expect(ask(7, at: 31).mayBeGood == false)
        fail(at: 600)
        #expect(ask(7, at: 601).mayBeGood)
    }

    @Test func `may hold a name that was forgotten among many others`() throws {
        try answer(at: 0)
        for name in 0...KeyRefresh.rememberedNames { _ = ask(name, at: 1) }
        try answer(at: 31)
        #expect(ask(1, at: 32).mayBeGood == false)
        #expect(ask(0, at: 32).mayBeGood)
    }

    @Test func `are fetched when the operator wants it, and once only`() throws {
        try answer(at: 0)
        let isSooner = (owner.refresh.wanted(at: at(3)), owner.refresh.wanted(at: at(3)))
        #expect(isSooner == (true, false))
        #expect(next(at: 3) == .fetch(Self.discovery))
        let isSoonerAgain = owner.refresh.wanted(at: at(4))
        #expect(!isSoonerAgain)
    }
}
