import Testing

@testable import Gateway

struct RateWindowTests {
    let start = ContinuousClock.now

    @Test func `so many pass in each window, and the next window begins anew`() {
        var window = RateWindow(limit: 3, per: .seconds(10), from: start)
        let answers = [0, 1, 9, 9, 10, 12, 19, 19, 20].map { window.admits(at: start + .seconds($0)) }
        #expect(answers == [true, true, true, false, true, true, true, false, true])
    }

    @Test func `a window begins with the first that comes after a pause`() {
        var window = RateWindow(limit: 1, per: .seconds(10), from: start)
        #expect(window.admits(at: start + .seconds(95)) == true)
        #expect(window.admits(at: start + .seconds(104)) == false)
        #expect(window.admits(at: start + .seconds(105)) == true)
    }

    @Test func `nothing passes where nothing is allowed`() {
        var window = RateWindow(limit: 0, per: .seconds(1), from: start)
        #expect([0, 5].map { window.admits(at: start + .seconds($0)) } == [false, false])
    }
}
