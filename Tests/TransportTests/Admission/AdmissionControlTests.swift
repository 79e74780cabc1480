import Testing
import WireProtocol

@testable import Transport

struct AdmissionControlTests {
    private let start = ContinuousClock.now
    private let a = IPAddress(v4: 1)
    private let b = IPAddress(v4: 2)

    @Test func `without limits all are taken and none is kept in mind`() {
        let door = Door(AdmissionLimits())
        for _ in 0..<1_000 { #expect(door.admit(a, at: start) == nil) }
        #expect(door.connections == 1_000 && door.clients == 0)
    }

    @Test func `at the limit a place becomes free when one leaves`() {
        let door = Door(AdmissionLimits(connections: 2))
        #expect(door.admit(a, at: start) == nil && door.admit(nil, at: start) == nil)
        #expect(door.admit(b, at: start) == .tooManyConnections)
        door.release(nil)
        #expect(door.admit(b, at: start) == nil)
        #expect(door.connections == 2)
    }

    @Test func `one address has its own limit, and leaves nothing behind`() {
        let door = Door(AdmissionLimits(connectionsPerAddress: 2))
        #expect(door.admit(a, at: start) == nil && door.admit(a, at: start) == nil)
        #expect(door.admit(a, at: start) == .tooManyConnectionsFromAddress)
        #expect(door.admit(b, at: start) == nil)
        for address in [a, a, b] { door.release(address) }
        #expect(door.clients == 0 && door.connections == 0)
    }

    @Test func `addresses of one IPv6 network are one client`() throws {
        let door = Door(AdmissionLimits(connectionsPerAddress: 1))
        let addresses = try ["2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1"].map { try #require(IPAddress($0)) }
        #expect(door.admit(addresses[0], at: start) == nil)
        #expect(door.admit(addresses[1], at: start) == .tooManyConnectionsFromAddress)
        #expect(door.admit(addresses[2], at: start) == nil)
    }

    @Test func `behind a proxy the client counts once it is known, and the last one told`() {
        let door = Door(AdmissionLimits(connectionsPerAddress: 1))
        #expect(door.admit(nil, at: start) == nil && door.admit(nil, at: start) == nil)
        #expect(door.identify(nil, as: a) == nil)
        #expect(door.identify(nil, as: a) == .tooManyConnectionsFromAddress)
        // Refused, it counts as before.
        #expect(door.identify(a, as: a) == nil)
        #expect(door.identify(a, as: b) == nil)
        #expect(door.identify(nil, as: a) == nil)
        door.release(a)
        door.release(b)
        #expect(door.clients == 0 && door.connections == 0)
    }

    @Test func `so many a second are taken, a second's worth at once`() {
        let door = Door(AdmissionLimits(connectionsPerSecond: 10))
        for _ in 0..<10 { #expect(door.admit(a, at: start) == nil) }
        #expect(door.admit(a, at: start) == .connectingTooFast)
        #expect(door.admit(a, at: start + .milliseconds(99)) == .connectingTooFast)
        #expect(door.admit(a, at: start + .milliseconds(100)) == nil)
        #expect(door.admit(a, at: start + .milliseconds(100)) == .connectingTooFast)
        // A pause longer than a second saves up no more than one.
        let later = start + .seconds(60)
        let admitted = (0..<50).count { _ in door.admit(a, at: later) == nil }
        #expect(admitted == 10)
    }

    @Test func `a client that is refused for another reason takes nothing from the rate`() {
        let door = Door(AdmissionLimits(connectionsPerAddress: 1, connectionsPerSecond: 2))
        #expect(door.admit(a, at: start) == nil)
        for _ in 0..<5 { #expect(door.admit(a, at: start) == .tooManyConnectionsFromAddress) }
        #expect(door.admit(b, at: start) == nil)
    }

    @Test func `a shard whose clock is behind fills nothing`() {
        let bucket = Bucket()
        #expect(bucket.take(at: start + .seconds(1)))
        #expect(!bucket.take(at: start))
        #expect(!bucket.take(at: start + .seconds(1)))
        #expect(bucket.take(at: start + .seconds(2)))
    }

    // MARK: The rate that was seen

    @Test func `the accept rate is the most that came in a second`() {
        let rate = Rate()
        #expect(rate.rate(at: start) == 0)
        for index in 0..<300 { rate.count(at: start + .milliseconds(index)) }
        // The second has not ended.
        #expect(rate.rate(at: start + .milliseconds(500)) == 300)
        #expect(rate.rate(at: start + .seconds(2)) == 300)
        for index in 0..<100 { rate.count(at: start + .seconds(5) + .milliseconds(index)) }
        #expect(rate.rate(at: start + .seconds(10)) == 300)
        for index in 0..<700 { rate.count(at: start + .seconds(20) + .milliseconds(index)) }
        #expect(rate.rate(at: start + .seconds(30)) == 700)
    }

    @Test func `half of the accept rate is forgotten in six hours`() {
        let rate = Rate()
        for _ in 0..<1_000 { rate.count(at: start) }
        #expect(rate.rate(at: start + .seconds(1)) == 1_000)
        #expect(rate.rate(at: start + .seconds(1) + .seconds(6 * 3_600)) == 500)
    }

    @Test func `a herd over two seconds is not taken for one second's`() {
        let rate = Rate()
        for index in 0..<2_000 { rate.count(at: start + .milliseconds(index)) }
        #expect(rate.rate(at: start + .seconds(5)) == 1_000)
    }

    // MARK: Descriptors

    @Test(arguments: [(20_000, 18_944), (1_024, 864), (256, 160), (64, 1), (0, 1), (1 << 20, (1 << 20) - 1_056)])
    func `clients get what the rest of the process leaves`(limit: Int, connections: Int) {
        #expect(DescriptorLimit.connections(of: limit) == connections)
    }

    @Test(arguments: [(20_000, 32), (256, 32), (64, 8), (0, 0), (Int.max, 32)])
    func `some are spared from all clients`(limit: Int, spared: Int) {
        #expect(DescriptorLimit.spared(of: limit) == spared)
    }

    @Test(arguments: [64, 256, 768, 1_024, 20_000, 1 << 20])
    func `publishers find descriptors that no client gets, and operators some that no publisher gets`(limit: Int) {
        let highest = DescriptorLimit.Use.allCases.map { DescriptorLimit.highest(of: limit, for: $0) }
        #expect(highest == highest.sorted())
        #expect(highest[1] - highest[0] >= limit / 16 || highest[1] - highest[0] >= 64)
        #expect(highest[2] - highest[1] >= min(limit / 16, 16))
        #expect(highest[2] == limit - DescriptorLimit.spared(of: limit) - 1)
        #expect(highest[0] > 0)
    }

    @Test func `the limit is the process's own`() { #expect(DescriptorLimit.current > 64) }
}

// Expectations call no mutating methods, so the machines are held by objects.

private final class Door {
    private var control: AdmissionControl
    init(_ limits: AdmissionLimits) { control = AdmissionControl(limits) }

    var clients: Int { control.clients }
    var connections: Int { control.connections }

    func admit(_ address: IPAddress?, at now: ContinuousClock.Instant) -> AdmissionRefusal? {
        control.admit(address, at: now)
    }
    func identify(_ old: IPAddress?, as new: IPAddress?) -> AdmissionRefusal? { control.identify(old, as: new) }
    func release(_ address: IPAddress?) { control.release(address) }
}

private final class Bucket {
    private var bucket = TokenBucket(perSecond: 1)
    func take(at now: ContinuousClock.Instant) -> Bool { bucket.take(at: now) }
}

private final class Rate {
    private var rate = AcceptRate()
    func count(at now: ContinuousClock.Instant) { rate.count(at: now) }
    func rate(at now: ContinuousClock.Instant) -> Int { rate.rate(at: now) }
}
