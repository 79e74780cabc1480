import Testing

@testable import Transport

@Suite struct TLSTicketKeyRingTests {
    private static let half = TLSTicketKeyRing.sealingTime
    private static let start = ContinuousClock.now

    private static func key(_ number: UInt8) -> TLSTicketKey {
        TLSTicketKey(random: [UInt8](repeating: number, count: TLSTicketKey.randomBytes))
    }

    private func opens(_ ring: TLSTicketKeyRing, _ number: UInt8, at now: ContinuousClock.Instant) -> Bool? {
        Self.key(number).name.withUnsafeBytes { ring.openingKey(named: $0, at: now)?.isOutdated }
    }

    @Test func `a key seals for half a day and opens for a day`() throws {
        var ring = TLSTicketKeyRing()
        var made: UInt8 = 0
        func seal(at now: ContinuousClock.Instant) -> UInt8? {
            ring.sealingKey(at: now) {
                made += 1
                return Self.key(made)
            }?.name.first
        }
        #expect(seal(at: Self.start) == 1)
        #expect(seal(at: Self.start + Self.half - .seconds(1)) == 1)
        #expect(opens(ring, 1, at: Self.start + Self.half - .seconds(1)) == false)
        #expect(seal(at: Self.start + Self.half) == 2)
        // Its tickets are good, and their owners get new ones.
        #expect(opens(ring, 1, at: Self.start + Self.half) == true)
        #expect(opens(ring, 2, at: Self.start + Self.half) == false)
        #expect(opens(ring, 1, at: Self.start + Self.half * 2 - .seconds(1)) == true)
        #expect(opens(ring, 1, at: Self.start + Self.half * 2) == nil)
    }

    @Test func `keys are forgotten after a long rest, too`() {
        var ring = TLSTicketKeyRing()
        _ = ring.sealingKey(at: Self.start) { Self.key(1) }
        _ = ring.sealingKey(at: Self.start + Self.half * 5) { Self.key(2) }
        #expect(opens(ring, 1, at: Self.start) == nil)
        #expect(opens(ring, 2, at: Self.start + Self.half * 5) == false)
    }

    @Test func `a ticket that no key has sealed is not opened`() {
        var ring = TLSTicketKeyRing()
        #expect(opens(ring, 1, at: Self.start) == nil)
        _ = ring.sealingKey(at: Self.start) { Self.key(1) }
        #expect(opens(ring, 9, at: Self.start) == nil)
    }

    @Test func `without chance there is no key`() {
        var ring = TLSTicketKeyRing()
        #expect(ring.sealingKey(at: Self.start) { nil } == nil)
    }
}
