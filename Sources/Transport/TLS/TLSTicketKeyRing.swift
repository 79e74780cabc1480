/// Which key seals session tickets, and which ones still open them.
///
/// A key seals for ``sealingTime``, and opens for a ticket's lifetime longer: whoever steals a server's memory can read
/// the tickets of a day, not of all time (RFC 8446 §C.4 asks for a limit).
struct TLSTicketKeyRing {
    static let sealingTime = Duration.seconds(12 * 3_600)
    /// Told to clients; a ticket is worth nothing later.
    static let ticketLifetime = Duration.seconds(12 * 3_600)

    private struct Entry {
        let key: TLSTicketKey
        let birth: ContinuousClock.Instant
    }

    /// The youngest last. Never more than two that are alive, since a key's life is two times as long as it seals.
    private var entries: [Entry] = []

    /// The key for a new ticket.
    ///
    /// - Parameter fresh: a random one, for when the last has sealed long enough.
    mutating func sealingKey(at now: ContinuousClock.Instant, fresh: () -> TLSTicketKey?) -> TLSTicketKey? {
        if let last = entries.last, now < last.birth + Self.sealingTime { return last.key }
        entries.removeAll { now >= $0.birth + Self.sealingTime + Self.ticketLifetime }
        guard let key = fresh() else { return nil }
        entries.append(Entry(key: key, birth: now))
        return key
    }

    /// The key that a ticket names, and whether the client should get a new ticket; nil for one that is too old.
    func openingKey(
        named name: UnsafeRawBufferPointer, at now: ContinuousClock.Instant
    ) -> (key: TLSTicketKey, isOutdated: Bool)? {
        guard let entry = entries.first(where: { name.elementsEqual($0.key.name) }),
            now < entry.birth + Self.sealingTime + Self.ticketLifetime
        else { return nil }
        return (entry.key, now >= entry.birth + Self.sealingTime)
    }
}
