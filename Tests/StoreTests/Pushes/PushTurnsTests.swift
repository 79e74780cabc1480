import Inbox
import Push
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// A machine whose answers can be expected in place.
private final class Turns {
    var machine: PushTurns

    init(_ machine: PushTurns = PushTurns()) { self.machine = machine }

    func next() -> PushTurns.Place? { machine.next() }
    func cancelled(_ notification: Int64) -> Bool { machine.cancelled(device: 1, notification: notification) }

    /// Hands out the next job.
    func lease(until end: Int64 = 60) -> Int64? {
        machine.next().map { machine.begin($0, parts: [$0.notification], until: .at(end)) }
    }
}

struct PushTurnsTests {
    private func place(_ second: Int64, device: Int64 = 1, _ notification: Int64) -> PushTurns.Place {
        PushTurns.Place(
            position: .first(of: .apns, at: .at(second)),
            number: PushJobNumber(device: device, notification: notification))
    }

    @Test func `a device's next job leaves when the one before is done`() throws {
        let turns = Turns()
        for number in 1...3 { turns.machine.found(place(0, Int64(number))) }
        for number in Int64(1)...3 {
            let id = try #require(turns.lease())
            #expect(turns.machine.leases[id]?.parts == [number])
            #expect(turns.next() == nil)
            turns.machine.end(id)
        }
        #expect(turns.next() == nil)
    }

    @Test func `devices do not wait for each other, and the job that is due longest leaves first`() {
        let turns = Turns()
        turns.machine.found(place(1, device: 1, 1))
        turns.machine.found(place(2, device: 2, 1))
        turns.machine.added(place(0, device: 3, 1))
        #expect([turns.next(), turns.next(), turns.next(), turns.next()].map { $0?.device } == [3, 1, 2, nil])
    }

    @Test func `a job that was put off holds up its device and leaves first when its time has come`() throws {
        let turns = Turns()
        turns.machine.found(place(0, 1))
        turns.machine.found(place(0, 2))
        let id = try #require(turns.lease())
        turns.machine.putOff(id, to: [place(10, 1)])
        #expect(turns.next() == nil)
        turns.machine.found(place(5, 3))
        #expect(turns.next() == nil)
        turns.machine.found(place(10, 1))
        #expect(turns.next() == place(10, 1))
    }

    @Test func `a job that is put off to a time already walked over is not lost`() throws {
        let turns = Turns()
        turns.machine.found(place(0, 1))
        turns.machine.found(place(9, 2))
        let id = try #require(turns.lease())
        turns.machine.putOff(id, to: [place(3, 1)])
        #expect(turns.next() == place(3, 1))
    }

    @Test func `cancelling the last part of what was put off sets the device's next job free`() throws {
        let turns = Turns()
        for number in 1...3 { turns.machine.found(place(0, Int64(number))) }
        let first = try #require(turns.next())
        turns.machine.putOff(
            turns.machine.begin(first, parts: [1, 2], until: .at(60)), to: [place(10, 1), place(10, 2)])
        #expect(!turns.cancelled(7))
        #expect(!turns.cancelled(1))
        #expect(turns.next() == nil)
        #expect(turns.cancelled(2))
        // The second part still stands in the line; whoever takes it out finds that there is no such job any more.
        let second = try #require(turns.next())
        turns.machine.pass(second)
        #expect([second, turns.next()] == [place(0, 2), place(0, 3)])
    }

    @Test func `a lease that ends gives its job back before all others of the device`() throws {
        let turns = Turns()
        turns.machine.found(place(0, 1))
        turns.machine.found(place(0, 2))
        let id = try #require(turns.lease(until: 30))
        #expect(turns.machine.leases.earliestEnd == .at(30))
        turns.machine.endLeases(at: .at(29))
        #expect(turns.next() == nil)
        turns.machine.endLeases(at: .at(30))
        #expect(turns.machine.leases[id] == nil)
        #expect(turns.next() == place(0, 1))
    }

    @Test func `a device that is forgotten leaves nothing behind`() throws {
        let turns = Turns()
        turns.machine.found(place(0, 1))
        turns.machine.found(place(0, 2))
        let id = try #require(turns.lease())
        turns.machine.forget(device: 1)
        #expect(turns.machine.leases[id] == nil)
        #expect(turns.next() == nil)
        turns.machine.found(place(1, 3))
        #expect(turns.next() == place(1, 3))
    }

    @Test func `leases outlive the loss of all else, and put off jobs are known from the queue`() throws {
        let turns = Turns()
        turns.machine.found(place(0, 1))
        let id = try #require(turns.lease())
        let again = Turns(PushTurns(leases: turns.machine.leases, putOff: [2: [5]]))
        for number in Int64(1)...2 { again.machine.found(place(0, number)) }
        again.machine.found(place(0, device: 2, 4))
        #expect(again.next() == nil)
        again.machine.end(id)
        #expect(again.next() == place(0, 1))
        again.machine.found(place(3, device: 2, 5))
        #expect(again.next() == place(3, device: 2, 5))
    }
}

struct SortedQueueTests {
    @Test func `elements come out in their order however they went in`() {
        var queue = SortedQueue<Int>()
        var taken: [Int] = []
        for number in [5, 1, 9, 3, 7] { queue.insert(number) }
        taken.append(queue.popFirst() ?? 0)
        taken.append(queue.popFirst() ?? 0)
        for number in [2, 8, 10] { queue.insert(number) }
        while let number = queue.popFirst() { taken.append(number) }
        #expect(taken == [1, 3, 2, 5, 7, 8, 9, 10])
        #expect(queue.isEmpty)
    }
    @Test func `elements come out in their order however putting in and taking alternate`() {
        var random = SystemRandomNumberGenerator()
        var queue = SortedQueue<Int>()
        var sorted: [Int] = []
        for _ in 0..<2_000 {
            if Bool.random(using: &random) || sorted.isEmpty {
                let number = Int.random(in: 0..<100, using: &random)
                queue.insert(number)
                sorted.append(number)
                sorted.sort()
            } else {
                #expect(queue.popFirst() == sorted.removeFirst())
            }
            #expect((queue.first, queue.count) == (sorted.first, sorted.count))
        }
    }
}

struct PushLeasesTests {
    private func lease(_ notification: Int64, until end: Int64 = 60) -> PushLeases.Lease {
        let place = PushTurns.Place(
            position: .first(of: .apns, at: .at(0)),
            number: PushJobNumber(device: notification, notification: notification))
        return PushLeases.Lease(place: place, parts: [notification], end: .at(end))
    }

    @Test func `a rollback leaves the leases as the last commit had them`() {
        var leases = PushLeases()
        let (kept, ended, overtaken) = (leases.add(lease(1)), leases.add(lease(2, until: 30)), leases.add(lease(3)))
        leases.commit()
        let begun = leases.add(lease(4, until: 10))
        #expect(leases.removeEnded(at: .at(30)).map(\.parts) == [[2], [4]])
        leases.overtake(overtaken)
        leases.overtake(kept)
        _ = leases.remove(kept)
        leases.rollBack()
        #expect(leases[kept]?.isOvertaken == false)
        #expect(leases[overtaken]?.isOvertaken == false)
        #expect(leases[ended]?.parts == [2])
        #expect(leases[begun] == nil)
        #expect(leases.earliestEnd == .at(30))
        #expect(leases.add(lease(5)) > begun)
    }
}
