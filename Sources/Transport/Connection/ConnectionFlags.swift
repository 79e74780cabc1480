/// The flags of a connection, in one byte.
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

    /// Output was queued, and this turn has not tried to send it yet.
    var isUnflushed: Bool {
        get { bits.contains(.unflushed) }
        set { set(.unflushed, newValue) }
    }
    /// The socket did not take everything, so output waits.
    var isBlocked: Bool {
        get { bits.contains(.blocked) }
        set { set(.blocked, newValue) }
    }
    /// The handler has stopped reading.
    var isPaused: Bool {
        get { bits.contains(.paused) }
        set { set(.paused, newValue) }
    }
    /// The peer sends nothing more.
    var peerHasFinished: Bool {
        get { bits.contains(.finished) }
        set { set(.finished, newValue) }
    }
    /// Bytes for many may go to the connection without its handler.
    var isShared: Bool {
        get { bits.contains(.shared) }
        set { set(.shared, newValue) }
    }

    /// The peer waits for answers.
    var isAwaited: Bool {
        get { bits.contains(.awaited) }
        set { set(.awaited, newValue) }
    }

    /// The connection continues reading by itself, whatever the poller reports meanwhile.
    var goesOnReading: Bool {
        get { bits.contains(.goesOnReading) }
        set { set(.goesOnReading, newValue) }
    }

    private mutating func set(_ bit: Bits, _ isSet: Bool) {
        if isSet { bits.insert(bit) } else { bits.remove(bit) }
    }
}
