import Testing

@testable import Gateway

@Suite struct `A round that judges all sessions` {
    /// The pages that come, until the round is over.
    private func pages(_ round: inout JudgingRound, of count: Int) -> [Int] {
        var pages: [Int] = []
        while let page = round.step(of: count) { pages.append(page) }
        return pages
    }

    @Test func `takes each page once, one a step`() {
        var round = JudgingRound()
        #expect(round.begin() == true)
        #expect(pages(&round, of: 3) == [0, 1, 2])
        #expect(round.step(of: 3) == nil)
        #expect(round.begin() == true)
    }

    @Test func `begins anew where keys change meanwhile, and is still taken by the one who takes its steps`() {
        var round = JudgingRound()
        #expect(round.begin() == true)
        #expect(round.step(of: 3) == 0)
        #expect(round.step(of: 3) == 1)
        #expect(round.begin() == false)
        #expect(pages(&round, of: 3) == [0, 1, 2])
    }

    @Test func `ends with the pages that there are, however many came or went meanwhile`() {
        var round = JudgingRound()
        #expect(round.begin() == true)
        #expect(round.step(of: 1) == 0)
        #expect(round.step(of: 2) == 1)
        #expect(round.step(of: 1) == nil)
        #expect(round.begin() == true)
        #expect(round.step(of: 0) == nil)
    }

    @Test func `has no step before it begins`() {
        var round = JudgingRound()
        #expect(round.step(of: 9) == nil)
    }
}
