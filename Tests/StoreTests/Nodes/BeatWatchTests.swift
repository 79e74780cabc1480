import Testing

@testable import Cluster

final class BeatWatchTests {
    private let start = ContinuousClock.now
    private var watch = BeatWatch()

    /// Sends a beat each second.
    private func send(_ seconds: ClosedRange<Int>) {
        for second in seconds { watch.sent(at: start + .seconds(second)) }
    }

    private func isOver(at second: Int) -> Bool { watch.isOver(at: start + .seconds(second)) }

    @Test func `a node that hears none of its beats for five seconds listens anew`() {
        send(0...4)
        #expect(isOver(at: 4) == false)
        #expect(isOver(at: 5) == true)
    }

    @Test func `a node that hears a beat goes on listening`() {
        send(0...4)
        watch.heard()
        send(5...9)
        #expect(isOver(at: 9) == false)
        #expect(isOver(at: 10) == true)
    }

    @Test func `a node that sends nothing waits for nothing`() {
        #expect(isOver(at: 60) == false)
    }

    @Test func `a node that has begun to listen anew waits for five more seconds`() {
        send(0...5)
        #expect(isOver(at: 5) == true)
        send(6...10)
        #expect(isOver(at: 10) == false)
        #expect(isOver(at: 11) == true)
    }
}
