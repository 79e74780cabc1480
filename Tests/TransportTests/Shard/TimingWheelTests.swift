import Support
import Testing
import Transport

@Suite struct TimingWheelTests {
    /// The behaviour of a wheel, written plainly.
    private struct PlainTimers {
        var current: Int64 = 0
        private(set) var due: [(id: Int, tick: Int64)] = []

        mutating func schedule(_ id: Int, at tick: Int64) { due.append((id, max(tick, current + 1))) }
        mutating func cancel(_ id: Int) { due.removeAll { $0.id == id } }

        mutating func advance(to tick: Int64) -> [Int] {
            current = max(current, tick)
            defer { due.removeAll { $0.tick <= current } }
            return due.filter { $0.tick <= current }.map(\.id)
        }

        var earliest: Int64? { due.map(\.tick).min() }
    }

    @Test(arguments: [1, 2, 8, 64, 1024], UInt64(1)...4)
    func `fires what a sorted list would, whatever is scheduled, cancelled and waited for`(
        slots: Int, seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        var wheel = TimingWheel<Int>(slots: slots)
        var model = PlainTimers()
        var timers: [Int: TimingWheel<Int>.Timer] = [:]
        for id in 0..<1_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let reaches: [Int64] = [3, Int64(slots), Int64(slots) * 5]
                let tick =
                    model.current + Int64.random(in: -2...(reaches.randomElement(using: &random) ?? 3), using: &random)
                timers[id] = wheel.schedule(id, at: tick)
                model.schedule(id, at: tick)
            case 5..<7:
                // Any that ever was, so many of them stale.
                guard let (old, timer) = timers.randomElement(using: &random) else { continue }
                wheel.cancel(timer)
                model.cancel(old)
            default:
                let pauses: [Int64] = [1, 4, Int64(slots), Int64(slots) * 3 + 1]
                let tick =
                    model.current + Int64.random(in: 0...(pauses.randomElement(using: &random) ?? 1), using: &random)
                #expect(wheel.advance(to: tick).sorted() == model.advance(to: tick).sorted())
            }
            try expectNextTick(of: wheel, slots: slots, fits: model)
        }
        let end = model.current + Int64(slots) * 6
        #expect(wheel.advance(to: end).sorted() == model.advance(to: end).sorted())
        #expect(wheel.count == 0 && wheel.nextTick == nil)
    }

    private func expectNextTick(of wheel: TimingWheel<Int>, slots: Int, fits model: PlainTimers) throws {
        #expect(wheel.count == model.due.count)
        guard let earliest = model.earliest else {
            #expect(wheel.nextTick == nil)
            return
        }
        // Beyond one turn it may ask to be looked at early, and never late.
        let next = try #require(wheel.nextTick)
        #expect(next == min(earliest, model.current + Int64(slots)))
    }

    @Test func `does not fire before the tick and fires once`() {
        var wheel = TimingWheel<String>(slots: 4)
        _ = wheel.schedule("later turn", at: 9)
        #expect(wheel.advance(to: 8) == [])
        #expect(wheel.advance(to: 9) == ["later turn"])
        #expect(wheel.advance(to: 20) == [])
    }

    @Test func `a stale timer cancels nothing that took its place`() {
        var wheel = TimingWheel<String>()
        let first = wheel.schedule("first", at: 1)
        wheel.cancel(first)
        _ = wheel.schedule("second", at: 1)
        wheel.cancel(first)
        #expect(wheel.advance(to: 1) == ["second"])
    }

    @Test func `timers of different ticks within a turn fire in their order`() {
        var wheel = TimingWheel<Int>(slots: 64)
        for tick in (1...60).reversed() { _ = wheel.schedule(tick, at: Int64(tick)) }
        #expect(wheel.advance(to: 63) == Array(1...60))
    }
}
