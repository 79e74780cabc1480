import GRDB
import Inbox
import Push

/// Moves what waits in the queue of pushes along with the process' clock.
struct QueueMove {
    /// A job, and what decides where it goes.
    private struct Waiting {
        let place: PushTurns.Place
        let times: (due: Timestamp, expiry: Timestamp)
    }

    let open: OpenTransaction
    let jump: ClockJump

    /// Takes as long as the queue is: some microseconds a job.
    func move() throws {
        if jump.span != .zero {
            for provider in Device.Provider.allCases { try move(provider) }
            try open.db.execute(
                sql: "UPDATE push_pace SET start = start + ?1, ends_at = ends_at + ?1",
                arguments: [jump.span.milliseconds])
        }
        if let reading = jump.reading { try ClockTable.write(reading, open.db) }
    }

    private func move(_ provider: Device.Provider) throws {
        let waiting = try waiting(provider)
        try open.withTurns(of: provider) { turns in
            // What is on its way stays where it is: whoever sends it names it so.
            for job in waiting
            where !turns.isOnLease(device: job.place.device, notification: job.place.notification) {
                try open.pushHolds.shift(job.place, provider, to: job.times)
            }
            var leases = turns.leases
            leases.move(by: jump.span)
            // Whose turn it is, is found anew.
            turns = PushTurns(leases: leases, putOff: try open.pushJobs.putOff(provider: provider))
        }
        if !waiting.isEmpty { open.tellPush(provider, due: jump.now) }
    }

    /// Those whose times change, in their order.
    private func waiting(_ provider: Device.Provider) throws -> [Waiting] {
        let all = QueuePlace.all(of: provider)
        let find = try open.db.cachedStatement(
            sql: """
                SELECT place, number, expiry, deadline, held_from IS NOT NULL, is_fallback FROM push_job
                WHERE place BETWEEN ? AND ? ORDER BY place
                """)
        let rows = try StoredRow.fetchCursor(find, arguments: [all.lowerBound.rawValue, all.upperBound.rawValue])
        var found: [Waiting] = []
        while let row = try rows.next() {
            // What is damaged stays where it stands, and is given up when its turn comes.
            guard let place = try? PushTurns.Place(row) else { continue }
            var checked = CheckedRow(row)
            let (due, expiry) = (place.availableAt, checked.time(2))
            let times = jump.times(
                due: due, expiry: expiry, deadline: checked.optionalTime(3), isDated: checked.flag(4),
                isFallback: checked.flag(5), grace: open.options.grace)
            if !checked.isDamaged, times != (due, expiry) { found.append(Waiting(place: place, times: times)) }
        }
        return found
    }
}
