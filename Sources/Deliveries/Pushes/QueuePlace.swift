package import Inbox
package import Push

/// A job's place in the queue of pushes, as one number that grows in the order in which jobs leave. It holds the
/// provider, the moment when the job is due, and its turn within that moment.
///
/// The place is the key of the job's row, so new jobs come at the end of the table and leave at its front. A job that
/// is to leave at another time gets another place. Stored since migration 19: another layout needs a migration.
package struct QueuePlace: Sendable, Hashable, Comparable {
    /// With 42 bits for the time and four for the provider that makes 63, and no place is negative.
    package static let turnBits = 17
    package static let timeBits = 42
    private static let turns = (Int64(1) << turnBits) - 1
    /// In the year 2109: later jobs are due then. Behind it is room for more turns than a moment has.
    private static let latest = (Int64(1) << timeBits) - (1 << 20)

    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    private init(_ provider: Device.Provider, _ time: Timestamp, turn: Int64) {
        let time = min(max(time.milliseconds, 0), Self.latest)
        rawValue = ((Int64(provider.place) << Self.timeBits) + time) << Self.turnBits + turn
    }

    /// The moment's first place.
    package static func first(of provider: Device.Provider, at time: Timestamp) -> Self {
        Self(provider, time, turn: 0)
    }

    /// The moment's last place.
    package static func last(of provider: Device.Provider, at time: Timestamp) -> Self {
        Self(provider, time, turn: turns)
    }

    /// All places of a provider.
    package static func all(of provider: Device.Provider) -> ClosedRange<Self> {
        let count = Int64(1) << (timeBits + turnBits)
        let first = Int64(provider.place) * count
        return Self(rawValue: first)...Self(rawValue: first + (count - 1))
    }

    /// The place right behind it: the moment's next turn, or after the last one the next moment's first.
    package var next: Self { Self(rawValue: rawValue + 1) }

    /// The last place of this place's moment.
    package var lastOfMoment: Self { Self(rawValue: rawValue | Self.turns) }

    /// See ``Push/Device/Provider/place``; a damaged row may have one that no provider has.
    package var provider: Int { Int(rawValue >> (Self.timeBits + Self.turnBits)) }

    package var availableAt: Timestamp {
        Timestamp(milliseconds: (rawValue >> Self.turnBits) & ((1 << Self.timeBits) - 1))
    }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
