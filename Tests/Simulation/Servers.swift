import Gateway
import Inbox
import ReferenceStore
import Support

/// All nodes of one simulated run: one on a disk of its own, or up to three on one database.
@MainActor
final class Servers {
    /// Where a node runs, or ran before it died.
    private struct Place {
        var node: SimulatedNode?
        var earlier: SimulatedNode?
    }

    private let timeline: Timeline
    private let sharing: SimulatedNode.Sharing?
    private var around: SimulatedNode.Surroundings?
    private var places: [Place]
    /// As of a while ago, for a planted mistake.
    private var older: (state: MemoryState, age: Int)?

    init(_ timeline: Timeline) {
        self.timeline = timeline
        guard timeline.chance(2) else {
            (sharing, places) = (nil, [Place()])
            return
        }
        sharing = SimulatedNode.Sharing(
            database: MemoryDatabase(
                epoch: "epoch", changeLogLength: Parts.changeLogLength,
                clock: { MainActor.assumeIsolated { timeline.rightTime } }),
            bus: SimulatedBus(timeline), mailInterval: timeline.chance(3) ? .milliseconds(250) : nil)
        places = (0..<timeline.pick([1, 2, 2, 3, 3])).map { _ in Place() }
    }

    /// Whether nodes share a database.
    var areShared: Bool { sharing != nil }

    /// In words.
    var story: String {
        guard let sharing else { return "one node on a disk" }
        return "\(places.count) on a database, which \(sharing.mailInterval == nil ? "listen" : "poll")"
    }

    func start(_ around: SimulatedNode.Surroundings) throws {
        self.around = around
        sharing?.bus.lost = { around.ledger.note(.lostMessage) }
        for place in places.indices { try start(place) }
    }

    private func start(_ place: Int) throws {
        guard let around, places[place].node == nil else { return }
        timeline.tell("node \(place) starts")
        let node = try SimulatedNode(around, sharing: sharing, after: places[place].earlier)
        node.disk.isAway = isAway
        places[place].node = node
        if living.count == 3 { around.ledger.note(.severalNodes) }
    }

    private var living: [SimulatedNode] { places.compactMap(\.node) }

    /// One of those that run; nil while none does.
    func any() -> SimulatedNode? { living.isEmpty ? nil : timeline.pick(living) }

    /// Nil while nobody has it.
    var database: MemoryDatabase? { sharing?.database ?? places[0].node?.store.database }

    func giveTurns() { for node in living { node.giveTurns() } }

    // MARK: Faults

    /// At any moment, or behind a commit that nobody has heard of.
    ///
    /// - Parameter setsClock: whether the clock is set before the next process starts.
    func crashSoon(setsClock: @escaping () -> Bool) {
        let place = timeline.random.next(below: places.count)
        if timeline.chance(2) {
            places[place].node?.disk.atNextNews { [self] in crash(place, setsClock) }
        } else {
            timeline.after(timeline.microseconds(0...200_000)) { [self] in crash(place, setsClock) }
        }
    }

    /// `kill -9`, and another process later.
    private func crash(_ place: Int, _ setsClock: () -> Bool) {
        guard let node = places[place].node, let around else { return }
        around.ledger.note(.death)
        timeline.tell("node \(place) dies")
        if node.disk.isTelling { around.ledger.note(.deathBetween) }
        end(node)
        (places[place].earlier, places[place].node) = (node, nil)
        if sharing == nil, setsClock() { setClock() }
        timeline.after(timeline.microseconds(10_000...20_000_000)) { [self] in restart(place) }
    }

    private func restart(_ place: Int) {
        if around?.mistake == .lyingDisk, sharing == nil, let older {
            places[place].earlier?.store.database.change { $0 = older.state }
        }
        do { try start(place) } catch  where isAway {
            // As an operator's service manager does.
            timeline.after(1_000_000) { [self] in restart(place) }
        } catch {
            around?.ledger.isWrong("a node does not start: \(error)")
        }
    }

    private func end(_ node: SimulatedNode) {
        if node.hasClosedSlow { around?.ledger.note(.slowClose) }
        if node.hasClosedSilent { around?.ledger.note(.silentClose) }
        if node.hasFoundLostNews { around?.ledger.note(.foundNews) }
        if node.hasComeAgain { around?.ledger.note(.givenUp) }
        node.die()
    }

    func end() { for node in living { end(node) } }

    func fillDisk() {
        guard let disk = any()?.disk else { return }
        timeline.tell("the disk is full")
        disk.isFull = true
        timeline.after(timeline.microseconds(1_000...60_000_000)) { disk.isFull = false }
    }

    /// To a time that is wrong by six hours at most.
    func setClock() {
        timeline.clockOffset = timeline.microseconds(-21_600_000...21_600_000)
        timeline.tell("the clock is set: \(timeline.clockOffset) ms")
        around?.ledger.note(living.isEmpty ? .clockBetween : .clock)
        for node in living { node.clock.isSet() }
    }

    func stopOne() {
        guard let process = any()?.process else { return }
        timeline.tell("a process is stopped")
        around?.ledger.note(.stop)
        process.stop()
        timeline.after(timeline.microseconds(1_000...40_000_000)) { [self] in
            process.goOn()
            giveTurns()
        }
    }

    func loseMessages() {
        guard let bus = sharing?.bus else { return }
        timeline.tell("messages between nodes get lost")
        bus.isUnreliable = true
        timeline.after(timeline.microseconds(1_000...60_000_000)) { [self] in
            bus.isUnreliable = false
            if timeline.chance(2) { bus.cut() }
        }
    }

    private var isAway = false { didSet { for node in living { node.disk.isAway = isAway } } }

    func losesDatabase() {
        guard let sharing else { return }
        timeline.tell("the database is away")
        around?.ledger.note(.awayDatabase)
        isAway = true
        if timeline.chance(2) { sharing.database.forgetUnlogged() }
        sharing.bus.cut()
        timeline.after(timeline.microseconds(1_000...30_000_000)) { [self] in isAway = false }
    }

    /// What a disk keeps that lies: for a planted mistake.
    func keepOlderState() {
        guard let database else { return }
        if older == nil || (older?.age ?? 0) > 5 { older = (database.state, 0) }
        older?.age += 1
    }

    /// Nothing goes wrong any more.
    func settle() throws {
        isAway = false
        sharing?.bus.isUnreliable = false
        for node in living {
            node.disk.isFull = false
            node.process.goOn()
        }
        for place in places.indices { try start(place) }
        giveTurns()
    }
}
