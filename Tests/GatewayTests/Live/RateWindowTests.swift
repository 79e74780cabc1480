import Testing

@testable import Gateway

struct RateWindowTests {
    let start = Moment(.now)

    @Test func `so many pass in each window, and the next window begins anew`() {
        let limit = RateWindow.Limit(count: 3, span: .seconds(10))
        var window = RateWindow(limit, from: start)
        let answers = [0, 1, 9, 9, 10, 12, 19, 19, 20].map { window.admits(at: start + .seconds($0), limit) }
        #expect(answers == [true, true, true, false, true, true, true, false, true])
    }

    @Test func `a window begins with the first that comes after a pause`() {
        let limit = RateWindow.Limit(count: 1, span: .seconds(10))
        var window = RateWindow(limit, from: start)
        #expect(window.admits(at: start + .seconds(95), limit) == true)
        #expect(window.admits(at: start + .seconds(104), limit) == false)
        #expect(window.admits(at: start + .seconds(105), limit) == true)
    }

    @Test func `nothing passes where nothing is allowed`() {
        let limit = RateWindow.Limit(count: 0, span: .seconds(1))
        var window = RateWindow(limit, from: start)
        #expect([0, 5].map { window.admits(at: start + .seconds($0), limit) } == [false, false])
    }
}
