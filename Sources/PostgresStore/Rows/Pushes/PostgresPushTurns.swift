import Deliveries
import Inbox
import Postgres
import Push
import Store

/// The order in which pushes leave, and their leases: the table `push_line`.
///
/// A line changes under the lock of its person's inbox, and any node may hand out its next push. A look skips inboxes
/// that others have locked, so it waits for nobody.
final class PostgresPushTurns: PostgresPart, PushTurnRows {
    private var lines: TransactionLines { rows.transactionLines }

    // MARK: Handing out

    /// How many lines are locked together.
    private static let together = 256
    /// How soon to look again for a line that somebody else has held.
    private static let pause = Duration.milliseconds(20)
    /// How long a device waits that cannot be read.
    private static let damagePause = Duration.seconds(3_600)

    func beginLook(_ provider: Device.Provider, at now: Timestamp) {
        lines.passed = []
        begin(provider, at: now)
    }

    /// Lines are written no earlier than processes begin to look at this time.
    private func begin(_ provider: Device.Provider, at now: Timestamp) {
        rows.fronts[provider.place].follow(now.milliseconds)
        lines.begin(at: now)
    }

    private static let dueLines = PostgresStatement(
        composed: """
            SELECT \(PushLine.columns), (SELECT nextval('push_lease')) FROM push_line
            JOIN device ON device.row = push_line.device JOIN inbox ON inbox.id = device.inbox
            WHERE push_line.provider = $1 AND push_line.next_at <= $2 AND push_line.next_at >= $4
            ORDER BY push_line.next_at, push_line.next_turn LIMIT $3
            FOR UPDATE OF push_line, inbox SKIP LOCKED
            """)

    func look(_ limit: Int, _ provider: Device.Provider, at now: Timestamp) throws -> PushLook {
        try write()
        var look = PushLook()
        let count = max(1, min(limit, Self.together))
        let began = ContinuousClock.now
        let start = rows.fronts[provider.place].begin(at: now.milliseconds, began)
        let found = try connection.run(
            Self.dueLines,
            [provider.column, QueuePlace.moment(of: now, provider), .int64(Int64(count)), .int64(start)])
        if start == .min { rows.fronts[provider.place].endFullLook(began, .now) }
        look.isLast = found.count < count
        lines.isLookedThrough = look.isLast
        guard let first = found.first else { return look }
        let number = try first.int64(PushLine.width)
        lines.numbers = number..<(number + Self.numbersTogether)
        for row in found {
            guard var line = try PushLine(row, rows.providers) else { continue }
            let ended = line.lease
            line.giveBack()
            lines.keep(line)
            if let ended {
                look.ended.append(ended.value)
                lines.changed.insert(line.device)
            }
        }
        if look.ended.isEmpty { try findJobs(&look, provider, at: now) } else { look.isLast = false }
        return look
    }

    private static let find = PostgresStatement(
        composed: """
            SELECT \(PushJobRow.columns), push_job.rank FROM push_line AS line
            CROSS JOIN LATERAL (\(choice(withReturning: true))) AS push_job
            WHERE line.device = ANY ($1)
            """)

    /// Finds the next job of each known line, as of after the lines were locked.
    private func findJobs(_ look: inout PushLook, _ provider: Device.Provider, at now: Timestamp) throws {
        var empty = Set(lines.known.keys)
        lines.first = []
        let now = QueuePlace.last(of: provider, at: now)
        for row in try connection.run(Self.find, [.int64s(Array(empty))]) {
            guard let job = try PushJobRow(row, rows.providers) else { continue }
            let isFirst = try row.int64(PushJobRow.width) == 2
            empty.remove(job.place.device)
            guard job.place.position <= now, !lines.passed.contains(job.place) else {
                look.looked += 1
                lines.change(job.place.device) { line in
                    line.nextAt = job.place.availableAt.milliseconds
                    line.nextTurn = job.place.position.turn
                    if isFirst { line.firstDue = line.nextAt }
                    if job.place.position <= now { line.nextAt = (now.availableAt + Self.damagePause).milliseconds }
                }
                continue
            }
            if isFirst { lines.first.insert(job.place) }
            look.jobs.append(job)
        }
        look.jobs.sort { $0.place < $1.place }
        look.looked += empty.count
        for device in empty { lines.forget(device) }
    }

    private static let numbersTogether: Int64 = 1 << 20

    func begin(
        _ place: PushTurns.Place, _ provider: Device.Provider, parts: PushParts?, leaving: [String],
        until end: Timestamp
    ) throws -> Int64 {
        let lease = PushLeases.Lease(place: place, parts: parts, leaving: leaving, end: end)
        if lines.numbers.count < lease.parts.count {
            let number = try connection.run("SELECT nextval('push_lease')")[0].int64(0)
            lines.numbers = number..<(number + Self.numbersTogether)
        }
        let id = lines.numbers.lowerBound
        lines.numbers = (id + Int64(lease.parts.count))..<lines.numbers.upperBound
        let isFirst = lines.first.contains(place)
        lines.change(place.device) { line in
            (line.place, line.lease) = (place, (id, lease))
            (line.nextAt, line.nextTurn) = (end.milliseconds, 0)
            if isFirst { line.firstDue = place.availableAt.milliseconds }
        }
        lines.devices[id] = place.device
        return id
    }

    /// The next look finds the line again.
    func pass(_ place: PushTurns.Place, _ provider: Device.Provider) { lines.passed.insert(place) }

    func nextDue(after now: Timestamp, _ provider: Device.Provider) throws -> Timestamp? {
        try write()
        let front = rows.fronts[provider.place]
        let row = try connection.run(
            """
            SELECT (SELECT due FROM push_job WHERE provider = $1 AND due > $2 ORDER BY due LIMIT 1),
                (SELECT next_at FROM push_line WHERE provider = $1 AND next_at > $2 AND next_at >= $3
                ORDER BY next_at LIMIT 1),
                (SELECT next_at FROM push_line WHERE provider = $1 AND next_at <= $2 AND next_at >= $4
                ORDER BY next_at LIMIT 1)
            """,
            [
                provider.column, QueuePlace.moment(of: now, provider), .int64(front.ahead), .int64(front.floor),
            ])[0]
        let (job, later, left) = (try row.int64OrNil(0), try row.int64OrNil(1), try row.int64OrNil(2))
        rows.fronts[provider.place].end(at: now.milliseconds, leaving: left, then: later)
        let again = lines.isLookedThrough && left != nil ? (now + Self.pause).milliseconds : nil
        return [job, later, again].compactMap(\.self).min().map(Timestamp.init(milliseconds:))
    }

    // MARK: Lines

    /// The next job of a `line`: the one that was given back, else the first one that was put off after a failure, else
    /// the first one.
    static func choice(withReturning: Bool) -> String {
        let returning = """
            (SELECT 0 AS rank, job.* FROM push_job AS job
            WHERE job.device = line.device AND job.notification = line.notification AND job.due = line.due
                AND job.turn = line.turn)
            UNION ALL
            """
        return """
            SELECT * FROM (
                \(withReturning ? returning : "")
                (SELECT 1 AS rank, job.* FROM push_job AS job
                WHERE job.device = line.device AND job.failures > 0 AND job.held_from IS NULL
                ORDER BY job.due, job.turn LIMIT 1)
                UNION ALL
                (SELECT 2 AS rank, job.* FROM push_job AS job
                WHERE job.device = line.device AND job.due >= line.first_due ORDER BY job.due, job.turn LIMIT 1)
            ) AS choice ORDER BY rank LIMIT 1
            """
    }

    /// The device's line; nil if nothing waits for it or is on its way.
    private func line(_ device: Int64) throws -> PushLine? {
        if let line = lines.known[device] { return line }
        if lines.gone.contains(device) || lines.released[device] != nil { return nil }
        try read(Self.byDevice, [.int64(device)])
        return lines.known[device]
    }

    private static let byDevice = select("device = $1")
    private static let byLease = select("lease = ANY ($1)")
    private static let renewing = select(
        "renewals IS NOT NULL AND device = ANY (ARRAY(SELECT row FROM device WHERE inbox = ANY ($1)))")

    private static func select(_ condition: String) -> PostgresStatement {
        PostgresStatement(composed: "SELECT \(PushLine.columns) FROM push_line WHERE \(condition) FOR UPDATE")
    }

    /// Reads lines that are not known yet.
    private func read(_ statement: PostgresStatement, _ values: [PostgresValue]) throws {
        for row in try connection.run(statement, values) {
            guard let line = try PushLine(row, rows.providers), lines.known[line.device] == nil,
                !lines.gone.contains(line.device), lines.released[line.device] == nil
            else { continue }
            lines.keep(line)
        }
    }

    // MARK: Settling

    func leases(
        _ asked: [(id: Int64, ends: Bool)], _ provider: Device.Provider, at now: Timestamp
    ) throws -> [PushLeases.Lease?] {
        begin(provider, at: now)
        try read(Self.byLease, [.int64s(asked.map(\.id))])
        return asked.map { id, ends in
            guard let device = lines.devices[id], let lease = lines.known[device]?.lease, lease.id == id
            else { return nil }
            if ends { lines.release(device) }
            return lease.value
        }
    }

    func end(_ id: Int64, _ provider: Device.Provider) {
        if let device = lines.devices[id], lines.known[device]?.lease?.id == id { lines.release(device) }
    }

    func giveBack(_ id: Int64, _ provider: Device.Provider) {
        guard let device = lines.devices[id], lines.known[device]?.lease?.id == id else { return }
        lines.change(device) { $0.giveBack() }
    }

    func putOff(_ id: Int64, _ provider: Device.Provider, to places: [PushTurns.Place]) {
        end(id, provider)
        for place in places { added(place, provider) }
    }

    // MARK: What happens to jobs

    func added(_ place: PushTurns.Place, _ provider: Device.Provider) {
        if let known = lines.added[place.device], known.place < place { return }
        lines.added[place.device] = (provider, place)
    }

    func cancelled(device: Int64, notification: Int64, _ provider: Device.Provider) -> Bool {
        lines.lightened[device] = provider
        return false
    }

    func forget(device: Int64, _ provider: Device.Provider) throws -> PushLeases.Lease? {
        let lease = try line(device)?.lease?.value
        lines.forget(device)
        return lease
    }

    // MARK: On its way

    func isOnLease(device: Int64, notification: Int64, _ provider: Device.Provider) throws -> Bool {
        try line(device)?.lease?.value.parts.contains(notification) ?? false
    }

    func overtake(device: Int64, _ provider: Device.Provider) throws {
        if lines.known[device] != nil {
            return lines.change(device) { $0.lease?.value.isOvertaken = true }
        }
        try connection.queue(
            "UPDATE push_line SET is_overtaken = true WHERE device = $1 AND lease IS NOT NULL AND NOT is_overtaken",
            [.int64(device)])
    }

    func follow(with job: NewPushJob, _ provider: Device.Provider) throws -> Bool {
        guard try isOnLease(device: job.device, notification: job.notification, provider) else { return false }
        lines.change(job.device) { line in
            line.lease?.value.renewals.removeAll { $0.notification == job.notification }
            line.lease?.value.renewals.append(job)
        }
        return true
    }

    /// Reads the lines of these inboxes' devices with pushes that are to follow: mostly none.
    func findRenewing(inboxes: [Int64]) throws {
        let unknown = inboxes.filter { !lines.searched.contains($0) }
        if unknown.isEmpty { return }
        try read(Self.renewing, [.int64s(unknown)])
        lines.searched.formUnion(unknown)
    }

    func renewingDevices(inbox: Int64) throws -> [Int64] {
        try findRenewing(inboxes: [inbox])
        return lines.known.values.filter { $0.lease?.value.hasRenewals ?? false }.map(\.device)
    }

    func cancelRenewals(upTo seq: Int64, of devices: [Int64]) -> [NewPushJob] {
        devices.flatMap { device in
            let covered = (lines.known[device]?.lease?.value.renewals ?? []).filter { $0.isCovered(upTo: seq) }
            if !covered.isEmpty {
                lines.change(device) { $0.lease?.value.renewals.removeAll { $0.isCovered(upTo: seq) } }
            }
            return covered
        }
    }

    // MARK: The transaction

    /// No node moves the queue: its clock is the database's.
    func move(
        along jump: ClockJump, to places: [PushTurns.Place: PushTurns.Place], grace: Duration,
        _ provider: Device.Provider
    ) {}

    func flush() throws -> [(provider: Device.Provider, due: Timestamp)] {
        try write()
        defer { lines.freed = [] }
        return lines.freed
    }
}
