/// The lines of all inboxes, or of all feeds, that sessions of this node watch.
///
/// A pure machine: it tells what is to be opened, read and handed on, and its owner does that.
struct NewsLines<Key: Hashable & Sendable, News> {
    /// A subject whose news are missing.
    struct Gap: Sendable {
        let key: Key
        let epoch: String?
        /// All after this number are wanted.
        let after: Int64
    }

    private struct Watch {
        /// How many watch: one for each shard, or session.
        var watchers: Int
        var line = NewsLine<News>()
        /// Whether a read of what is missing is under way.
        var isReading = false
        /// What waits for the line to be open; gets whether it is.
        var waiting: [@Sendable (Bool) -> Void] = []
    }

    private var watches: [Key: Watch] = [:]
    /// Those with missing news that are not read yet.
    private var behind: Set<Key> = []
    /// How often news were found that nobody had told of.
    private(set) var lostWakeUps = 0

    var keys: some Collection<Key> { watches.keys }

    // MARK: Watching

    /// - Returns: whether it is the first to watch; then the line has to be opened.
    mutating func watch(_ key: Key) -> Bool {
        watches[key, default: Watch(watchers: 0)].watchers += 1
        return watches[key]?.watchers == 1
    }

    /// - Returns: whether nobody watches any more, and what has waited for the line.
    mutating func unwatch(_ key: Key) -> (isLast: Bool, waiting: [@Sendable (Bool) -> Void]) {
        guard let place = watches.index(forKey: key) else { return (false, []) }
        watches.values[place].watchers -= 1
        guard watches.values[place].watchers <= 0 else { return (false, []) }
        behind.remove(key)
        return (true, watches.remove(at: place).value.waiting)
    }

    func isWatched(_ key: Key) -> Bool { watches[key] != nil }

    /// Keeps `body` until the line is open.
    /// - Returns: false if there is nothing to wait for.
    mutating func wait(for key: Key, _ body: @escaping @Sendable (Bool) -> Void) -> Bool {
        guard let place = watches.index(forKey: key), watches.values[place].line.told == nil else { return false }
        watches.values[place].waiting.append(body)
        return true
    }

    /// Opens a line.
    /// - Returns: what has waited for that.
    mutating func open(_ key: Key, epoch: String?, at number: Int64) -> [@Sendable (Bool) -> Void] {
        guard let place = watches.index(forKey: key), watches.values[place].line.told == nil else { return [] }
        watches.values[place].line.open(epoch: epoch, at: number)
        note(place)
        defer { watches.values[place].waiting = [] }
        return watches.values[place].waiting
    }

    /// Gives up what waits for a line that could not be opened yet.
    mutating func takeWaiting(for key: Key) -> [@Sendable (Bool) -> Void] {
        guard let place = watches.index(forKey: key) else { return [] }
        defer { watches.values[place].waiting = [] }
        return watches.values[place].waiting
    }

    /// Begins a line anew, as its subject has: it has to be opened again.
    /// - Returns: false if nobody watches it.
    mutating func restart(_ key: Key) -> Bool {
        guard let place = watches.index(forKey: key) else { return false }
        watches.values[place].line = NewsLine()
        behind.remove(key)
        return true
    }

    // MARK: News

    /// Takes in news, and hands on what is in order now.
    mutating func take(_ news: News, _ number: Int64, of key: Key, tell: (News) -> Void) {
        guard let place = watches.index(forKey: key) else { return }
        watches.values[place].line.take(news, number, tell: tell)
        note(place)
    }

    /// Notes how far a subject has come.
    ///
    /// - Parameter last: the number of the last look that has begun.
    /// - Returns: false if the line has to begin anew.
    mutating func see(_ key: Key, epoch: String?, head: Int64, _ look: NewsLook, last: Int) -> Bool {
        guard let place = watches.index(forKey: key) else { return true }
        let isSame = watches.values[place].line.see(epoch: epoch, head: head, look, last: last, lost: &lostWakeUps)
        guard isSame else { return false }
        note(place)
        return true
    }

    /// Takes out some of the subjects with missing news, which are to be read now.
    mutating func takeGaps(_ limit: Int) -> [Gap] {
        var gaps: [Gap] = []
        while gaps.count < limit, let key = behind.popFirst() {
            guard let place = watches.index(forKey: key), let told = watches.values[place].line.told else { continue }
            watches.values[place].isReading = true
            gaps.append(Gap(key: key, epoch: watches.values[place].line.epoch, after: told))
        }
        return gaps
    }

    /// Takes in what was read: all that came up to `end`.
    mutating func fill(
        _ key: Key, _ found: [(number: Int64, news: News)], upTo end: Int64, tell: (News) -> Void
    ) {
        guard let place = watches.index(forKey: key) else { return }
        watches.values[place].isReading = false
        watches.values[place].line.fill(found, upTo: end, tell: tell)
        note(place)
    }

    /// Notes that missing news could not be read: they are still missing.
    mutating func failed(_ key: Key) {
        guard let place = watches.index(forKey: key) else { return }
        watches.values[place].isReading = false
        note(place)
    }

    private mutating func note(_ place: Dictionary<Key, Watch>.Index) {
        guard watches.values[place].line.isBehind else { return }
        if !watches.values[place].isReading { behind.insert(watches.keys[place]) }
    }
}
