/// A connection's yes and no, in one byte.
struct ConnectionFlags {
    private struct Bits: OptionSet {
        let rawValue: UInt8
        static let unflushed = Bits(rawValue: 1)
        static let blocked = Bits(rawValue: 2)
        static let paused = Bits(rawValue: 4)
        static let finished = Bits(rawValue: 8)
        static let shared = Bits(rawValue: 16)
        static let awaited = Bits(rawValue: 32)
        static let goesOnReading = Bits(rawValue: 64)
    }

    private var bits: Bits = []

    /// Has output that this turn has not tried to send yet.
    var isUnflushed: Bool {
        get { bits.contains(.unflushed) }
        set { set(.unflushed, newValue) }
    }
    /// The socket did not take all, so output waits.
    var isBlocked: Bool {
        get { bits.contains(.blocked) }
        set { set(.blocked, newValue) }
    }
    /// The handler wants nothing read for now.
    var isPaused: Bool {
        get { bits.contains(.paused) }
        set { set(.paused, newValue) }
    }
    /// The peer sends nothing more.
    var peerHasFinished: Bool {
        get { bits.contains(.finished) }
        set { set(.finished, newValue) }
    }
    /// What goes to many may go to it past its handler.
    var isShared: Bool {
        get { bits.contains(.shared) }
        set { set(.shared, newValue) }
    }

    /// Its peer asks and waits for answers.
    var isAwaited: Bool {
        get { bits.contains(.awaited) }
        set { set(.awaited, newValue) }
    }

    /// It will read on by itself, whatever the poller tells meanwhile.
    var goesOnReading: Bool {
        get { bits.contains(.goesOnReading) }
        set { set(.goesOnReading, newValue) }
    }

    private mutating func set(_ bit: Bits, _ isSet: Bool) {
        if isSet { bits.insert(bit) } else { bits.remove(bit) }
    }
}
