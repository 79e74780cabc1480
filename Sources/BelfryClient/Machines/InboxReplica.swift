/// The client's copy of the inbox: rows, counts, the position `(epoch, seq)`, and commands under way.
///
/// A pure machine. Each change takes the next `seq`, so the copy can tell whether it is in sync. A hole, a `gap`, a
/// foreign epoch or a heartbeat with a higher number causes the effect `refresh`. Frames that come before the fresh
/// list are held, and then applied to it.
struct InboxReplica {
    enum Effect {
        case changed(InboxChange)
        /// Fetch the newest rows, and call ``fresh(_:)``.
        case refresh
        /// Begin a new connection.
        case restart
    }

    struct PageRequest {
        fileprivate let number: Int
        /// The id of the row before the page.
        let before: String
    }

    private struct Paging {
        let request: PageRequest
        var changes: [ServerFrame] = []
    }

    /// The most rows of an archive.
    private static let archiveLength = 100

    // No inbox has this epoch, so a client without data gets `reset` with the first page.
    private(set) var epoch = "none"
    private(set) var seq: Int64 = 0
    /// The newest `seq` in the server's frames.
    private var head: Int64 = 0
    private(set) var unread = 0
    private(set) var unseen = 0
    private(set) var rows: [InboxNotification] = [] {
        didSet { version += 1 }
    }
    private(set) var hasMore = false
    /// Frames that wait for a list; nil while the list is in sync.
    private var held: [ServerFrame]? = []
    /// The page that is being fetched, with the changes since the request.
    private var paging: Paging?
    private var pageRequests = 0
    /// Commands without an answer yet; their effects are shown already.
    private(set) var pending: [Command] = [] {
        didSet { version += 1 }
    }
    /// Changes whenever rows may look different.
    private(set) var version = 0
    private var effects: [Effect] = []

    init(_ archive: InboxArchive? = nil) {
        guard let archive else { return }
        version = 1
        (epoch, seq, head) = (archive.epoch, archive.seq, archive.seq)
        (unread, unseen, rows, hasMore) = (archive.unread, archive.unseen, archive.notifications, archive.hasMore)
    }

    /// The number of changes of a replay that are still to come, 0 in sync; nil without a list.
    var lag: Int64? { held == nil ? max(0, head - seq) : nil }

    /// Nil before any data has come.
    var archive: InboxArchive? {
        guard epoch != "none" else { return nil }
        return InboxArchive(
            epoch: epoch, seq: seq, unread: unread, unseen: unseen,
            notifications: Array(rows.prefix(Self.archiveLength)), hasMore: hasMore || rows.count > Self.archiveLength)
    }

    // MARK: The server

    mutating func receive(_ frame: ServerFrame) -> [Effect] {
        take(frame)
        return drain()
    }

    /// The first page, for the effect `refresh`.
    mutating func fresh(_ page: InboxPage) -> [Effect] {
        guard held != nil else { return [] }
        // The connection still belongs to another epoch, and its frames do not fit this list.
        guard page.epoch == epoch else { return [.restart] }
        begin(page)
        return drain()
    }

    /// The first page, without a connection.
    mutating func adopt(_ page: InboxPage) -> [Effect] {
        guard page.epoch != epoch || page.seq > seq else { return [] }
        begin(page)
        return drain()
    }

    private mutating func drain() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    private mutating func take(_ frame: ServerFrame) {
        switch frame.type {
        case "ready":
            takeCounts(frame)
            head = frame.seq ?? head
            held = frame.isRecovered && frame.epoch == epoch ? nil : []
            // Otherwise `reset` follows, and this replay is for another position.
            if held != nil && frame.isRecovered { effects.append(.refresh) }
        case "reset":
            if let page = InboxPage(reset: frame) { begin(page) }
        case "prefs":
            effects.append(.changed(.preferences(.object(frame.members))))
        default:
            guard frame.feed == nil, frame.unread != nil, let at = frame.seq ?? frame["to"]?.sequence else {
                return
            }
            follow(frame, at)
        }
    }

    /// Takes a frame that names a position of the inbox.
    private mutating func follow(_ frame: ServerFrame, _ at: Int64) {
        let isBeat = frame.type == "beat"
        let isNext = at == seq + 1 && !isBeat && frame.type != "gap"
        let isDrift = isBeat && at == seq && frame.unread != unread
        head = max(head, at)
        if isDrift || at > seq && !isNext { lose() }
        if held != nil {
            if !isBeat { held?.append(frame) }
        } else if isNext {
            apply(frame, at)
        }
        if at >= seq { takeCounts(frame) }
    }

    private mutating func lose() {
        guard held == nil else { return }
        held = []
        effects.append(.refresh)
    }

    private mutating func takeCounts(_ frame: ServerFrame) {
        unread = frame.unread ?? unread
        unseen = frame.unseen ?? unseen
    }

    /// Starts over with the newest rows, and reports rows that are new compared with the old list.
    private mutating func begin(_ page: InboxPage) {
        let known = Dictionary(rows.map { ($0.id, $0.rev) }) { first, _ in first }
        effects.append(.changed(.reset))
        for row in page.rows.reversed() where page.epoch == epoch && row.seq > seq {
            guard let rev = known[row.id] else {
                effects.append(.changed(.new(row)))
                continue
            }
            if rev < row.rev { effects.append(.changed(.update(row))) }
        }
        (epoch, seq, head, hasMore) = (page.epoch, page.seq, page.seq, page.hasNext)
        (unread, unseen, rows) = (page.unread, page.unseen, page.rows)
        let frames = held ?? []
        (held, paging) = (nil, nil)
        for frame in frames { take(frame) }
    }

    /// Applies the next change.
    private mutating func apply(_ frame: ServerFrame, _ at: Int64) {
        seq = at
        paging?.changes.append(frame)
        if let row = frame.notification { return place(row, isNew: frame.type == "new") }
        guard let edit = Edit(frame) else { return }
        if case .remove(let selection) = edit {
            let gone = rows.filter(selection.contains).map(\.id)
            if !gone.isEmpty { effects.append(.changed(.gone(gone))) }
        }
        edit.apply(to: &rows)
    }

    private mutating func place(_ row: InboxNotification, isNew: Bool) {
        let old = rows.firstIndex { $0.id == row.id }
        // A replay sends the current state of a notification several times, but only the first time is news.
        if let old, rows[old].rev < row.rev {
            effects.append(.changed(.update(row)))
        } else if old == nil {
            effects.append(.changed(isNew ? .new(row) : .update(row)))
        }
        let comesUp = row.place == seq
        if let old, !comesUp {
            if rows[old].rev <= row.rev { rows[old] = row }
        } else if isNew || comesUp {
            if let old { rows.remove(at: old) }
            rows.insert(row, at: 0)
        }
    }

    // MARK: Older rows

    /// The next page to request, if older rows exist.
    mutating func more() -> PageRequest? {
        guard hasMore, let last = rows.last else { return nil }
        pageRequests += 1
        let request = PageRequest(number: pageRequests, before: last.id)
        paging = Paging(request: request)
        return request
    }

    /// Takes the rows behind `before`.
    ///
    /// - Returns: false if the page must be requested again.
    mutating func take(_ page: InboxPage, for request: PageRequest) -> Bool {
        guard let paging, paging.request.number == request.number else { return true }
        self.paging = nil
        guard page.epoch == epoch else { return true }
        // If the row before the page was removed or has come up, the page may not be the next one.
        guard page.seq <= seq, request.before == rows.last?.id else { return false }
        let known = Set(rows.map(\.id))
        var older = page.rows.filter { !known.contains($0.id) }
        for change in paging.changes where change.seq ?? 0 > page.seq { Edit(change)?.apply(to: &older) }
        rows += older
        hasMore = page.hasNext
        return true
    }

    // MARK: Commands

    mutating func begin(_ command: Command) { pending.append(command) }

    mutating func settle(_ id: String) { pending.removeAll { $0.id == id } }

    /// Rows and counts with the effects of all commands under way.
    var view: (items: [InboxNotification], unread: Int, unseen: Int) {
        if pending.isEmpty { return (rows, unread, unseen) }
        var items = rows
        for command in pending { command.edit?.apply(to: &items) }
        // A command about all rows includes rows that are not loaded: only visible rows can remain.
        func left(_ total: Int, _ mark: KeyPath<InboxNotification, Bool>, _ kinds: [Command.Kind]) -> Int {
            let count = items.count { !$0[keyPath: mark] }
            let isAboutAll = hasMore && pending.contains { $0.meansAll && kinds.contains($0.kind) }
            return isAboutAll ? count : total + count - rows.count { !$0[keyPath: mark] }
        }
        return (items, left(unread, \.isRead, [.read]), left(unseen, \.isSeen, [.read, .seen]))
    }
}
