/// The key that seals session tickets, and the keys that still open them.
///
/// A key seals for ``sealingTime``, and opens tickets for their lifetime longer. A thief of a server's memory can thus
/// read the tickets of one day only (RFC 8446 §C.4 asks for a limit).
struct TLSTicketKeyRing {
    static let sealingTime = Duration.seconds(12 * 3_600)
    /// Sent to clients; a ticket is worthless after it.
    static let ticketLifetime = Duration.seconds(12 * 3_600)

    private struct Entry {
        let key: TLSTicketKey
        let birth: ContinuousClock.Instant
    }

    /// The youngest is last. At most two are alive, because a key lives twice as long as it seals.
    private var entries: [Entry] = []

    /// The key for a new ticket.
    ///
    /// - Parameter fresh: makes a random key, after the last one has sealed long enough.
    mutating func sealingKey(at now: ContinuousClock.Instant, fresh: () -> TLSTicketKey?) -> TLSTicketKey? {
        if let last = entries.last, now < last.birth + Self.sealingTime { return last.key }
        entries.removeAll { now >= $0.birth + Self.sealingTime + Self.ticketLifetime }
        guard let key = fresh() else { return nil }
        entries.append(Entry(key: key, birth: now))
        return key
    }

    /// The key that a ticket names, and whether the client should get a new ticket; nil for a ticket that is too old.
    func openingKey(
        named name: UnsafeRawBufferPointer, at now: ContinuousClock.Instant
    ) -> (key: TLSTicketKey, isOutdated: Bool)? {
        guard let entry = entries.first(where: { name.elementsEqual($0.key.name) }),
            now < entry.birth + Self.sealingTime + Self.ticketLifetime
        else { return nil }
        return (entry.key, now >= entry.birth + Self.sealingTime)
    }
}
