import Inbox
import Push

/// Where a job stands in the queue of pushes, in one number that grows in the order in which jobs leave: the provider,
/// the moment when the job is due, and its turn among those of the same moment.
///
/// It is the key of the job's row, so that those that come lie at the end of the table and those that go at its front.
/// When a job is to leave at another time, it gets another place. Stored since migration 11: another layout needs a
/// migration.
struct QueuePlace: Sendable, Hashable, Comparable {
    private static let turnBits = 19
    private static let timeBits = 42
    private static let turns = (Int64(1) << turnBits) - 1
    /// In the year 2109. Whatever is due later is due then; behind it is room for more turns than a moment has.
    private static let latest = (Int64(1) << timeBits) - (1 << 20)

    let rawValue: Int64

    init(rawValue: Int64) { self.rawValue = rawValue }

    private init(_ provider: Device.Provider, _ time: Timestamp, turn: Int64) {
        let time = min(max(time.milliseconds, 0), Self.latest)
        rawValue = ((Int64(provider.place) << Self.timeBits) + time) << Self.turnBits + turn
    }

    /// The first one of a moment.
    static func first(of provider: Device.Provider, at time: Timestamp) -> Self { Self(provider, time, turn: 0) }

    /// The last one of a moment.
    static func last(of provider: Device.Provider, at time: Timestamp) -> Self { Self(provider, time, turn: turns) }

    /// All places of a provider.
    static func all(of provider: Device.Provider) -> ClosedRange<Self> {
        let count = Int64(1) << (timeBits + turnBits)
        let first = Int64(provider.place) * count
        return Self(rawValue: first)...Self(rawValue: first + (count - 1))
    }

    /// The place right behind it: of the moment's next turn, or if it has no more, of the next moment's first.
    var next: Self { Self(rawValue: rawValue + 1) }

    /// The last place of its own moment.
    var lastOfMoment: Self { Self(rawValue: rawValue | Self.turns) }

    /// Nil in a damaged row.
    var provider: Device.Provider? { Device.Provider(place: Int(rawValue >> (Self.timeBits + Self.turnBits))) }

    var availableAt: Timestamp {
        Timestamp(milliseconds: (rawValue >> Self.turnBits) & ((1 << Self.timeBits) - 1))
    }

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
