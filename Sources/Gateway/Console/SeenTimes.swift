import Inbox

/// How long notifications wait to be seen, and which pushes were not needed, from a sample of people. It takes times as
/// arguments, and a bounded amount of memory.
struct SeenTimes: Sendable {
    /// How many people are followed at a time. While all places are taken, nobody else is.
    static let maximumPeople = 4_096
    /// Somebody who has not looked for so long makes room for others, and counts as never.
    static let patience = Duration.seconds(7 * 86_400)
    /// A push that was answered sooner by a look at the app was hardly needed.
    static let unneededWithin = Duration.seconds(60)
    /// Of so many last looks the median is told.
    static let keptCount = 1_000
    /// Upper bounds in seconds.
    static let bounds: [Int64] = [10, 60, 600, 3_600, 6 * 3_600, 86_400]

    private struct Person {
        /// When the first notification came that they have not seen; nil if there is none.
        var waitsSince: Timestamp?
        /// When a push was accepted last, until they look.
        var pushedAt: Timestamp?
    }

    private var people: [UserID: Person] = [:]
    private(set) var unneeded = 0
    /// One for each bound, and one for what is longer.
    private(set) var buckets = [Int](repeating: 0, count: bounds.count + 1)
    private var last: [Int64] = []
    private var place = 0

    /// A notification came.
    mutating func came(to user: UserID, at now: Timestamp) {
        guard people[user] != nil || hasRoom(at: now) else { return }
        if people[user]?.waitsSince == nil { people[user, default: Person()].waitsSince = now }
    }

    /// A push was accepted.
    mutating func pushed(to user: UserID, at now: Timestamp) {
        guard people[user] != nil || hasRoom(at: now) else { return }
        people[user, default: Person()].pushedAt = now
    }

    /// The person's app says that something was seen or read.
    mutating func looked(_ user: UserID, at now: Timestamp) {
        guard let person = people.removeValue(forKey: user) else { return }
        if let pushedAt = person.pushedAt, (pushedAt...(pushedAt + Self.unneededWithin)).contains(now) { unneeded += 1 }
        guard let since = person.waitsSince, now >= since else { return }
        let seconds = (now - since).milliseconds / 1_000
        buckets[Self.bounds.firstIndex { seconds < $0 } ?? Self.bounds.count] += 1
        if last.count < Self.keptCount { last.append(seconds) } else { last[place] = seconds }
        place = (place + 1) % Self.keptCount
    }

    mutating func forget(_ user: UserID) { people[user] = nil }

    /// How many looks ``median`` is of.
    var count: Int { last.count }

    /// In seconds; nil before the first look.
    var median: Int64? { last.isEmpty ? nil : last.sorted()[last.count / 2] }

    private mutating func hasRoom(at now: Timestamp) -> Bool {
        if people.count < Self.maximumPeople { return true }
        // Rare: those who went away with all places taken.
        people = people.filter { now - ($0.value.waitsSince ?? $0.value.pushedAt ?? now) < Self.patience }
        return people.count < Self.maximumPeople
    }
}
