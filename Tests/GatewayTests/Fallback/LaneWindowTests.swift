import Inbox
import Testing

@testable import Gateway

struct LaneWindowTests {
    private func ticket(_ number: Int) -> LaneTicket { LaneTicket(number: number, sentAt: .noon) }

    /// Full round trips, each as long as the window is wide.
    private func roundTrips(_ count: Int, _ window: inout LaneWindow, from start: Int = 0) -> Int {
        var number = start
        for _ in 0..<count {
            let size = window.size
            for index in 0..<size {
                window.succeeded(ticket(number + index), underWay: size, next: number + size)
            }
            number += size
        }
        return number
    }

    @Test func `doubles each round trip until it is as wide as allowed`() {
        var window = LaneWindow(initial: 10, maximum: 100)
        var sizes = [window.size]
        var number = 0
        for _ in 0..<5 {
            number = roundTrips(1, &window, from: number)
            sizes.append(window.size)
        }
        #expect(sizes == [10, 20, 40, 80, 100, 100])
    }

    @Test func `does not grow while nobody uses it`() {
        var window = LaneWindow(initial: 10, maximum: 100)
        for number in 0..<1_000 { window.succeeded(ticket(number), underWay: 1, next: number + 1) }
        #expect(window.size == 10)
    }

    @Test func `is halved once, however many requests of a round trip fail`() {
        var window = LaneWindow(initial: 100, maximum: 100)
        for number in 0..<100 { window.failed(ticket(number), next: 100) }
        #expect(window.size == 50)
        for number in 100..<150 { window.failed(ticket(number), next: 150) }
        #expect(window.size == 25)
    }

    @Test func `grows by one a round trip after it was halved`() {
        var window = LaneWindow(initial: 100, maximum: 100)
        for number in 0..<100 { window.failed(ticket(number), next: 100) }
        _ = roundTrips(5, &window, from: 100)
        #expect((54...55).contains(window.size))
    }

    @Test func `bears single failures`() {
        var window = LaneWindow(initial: 100, maximum: 100)
        for number in 0..<10_000 {
            // Two in a hundred.
            if number % 50 == 0 {
                window.failed(ticket(number), next: number + 100)
            } else {
                window.succeeded(ticket(number), underWay: 100, next: number + 100)
            }
        }
        #expect(window.size == 100)
    }

    @Test(arguments: [1, 2, 3, 10]) func `always lets one through`(_ initial: Int) {
        var window = LaneWindow(initial: initial, maximum: initial)
        for number in 0..<10 { window.restart(next: number) }
        #expect(window.size == 1)
    }
}
