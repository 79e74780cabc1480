/// A pool's connections, in the order in which they were begun; a search is quick because they are few. Used by index
/// and through pointers: a member holds times, whose size is known only at run time, and a copy takes long.
struct HTTP2Members {
    private let settings: HTTP2ClientSettings
    private var all: [HTTP2Member] = []
    private var lastKey = 0

    init(_ settings: HTTP2ClientSettings) { self.settings = settings }

    subscript(index: Int) -> HTTP2Member {
        get { all[index] }
        _modify { yield &all[index] }
    }

    var isEmpty: Bool { all.isEmpty }
    var keys: [HTTP2Pool.ConnectionKey] { all.map(\.key) }

    /// The index of the connection with this key; nil after its removal.
    func index(of key: HTTP2Pool.ConnectionKey) -> Int? {
        all.withUnsafeBufferPointer { all in all.indices.first { all[$0].key == key } }
    }

    /// Whether some connection takes requests, or may soon.
    var canServe: Bool { all.indices.contains { all[$0].phase != .draining } }

    func isDrained(at index: Int) -> Bool { all.withUnsafeBufferPointer { $0[index].isDrained } }

    var freeStreams: Int { all.indices.reduce(0) { $0 + all[$1].freeStreams } }

    /// The first connection with a free stream, so that the second is used only if needed. `avoided` is chosen last.
    func free(avoiding avoided: HTTP2Pool.ConnectionKey?) -> Int? {
        all.withUnsafeBufferPointer { all in
            all.indices.first { all[$0].hasFreeStream && all[$0].key != avoided }
                ?? all.indices.first { all[$0].hasFreeStream }
        }
    }

    /// Whether one more connection may begin. Connections begin one at a time. Draining ones count only toward an upper
    /// bound, which keeps a server that always says goodbye from taking all descriptors.
    var mayGrow: Bool {
        !all.contains(where: \.isConnecting)
            && all.count { $0.phase == .serving } < settings.connectionsPerOrigin
            && all.count < 4 * settings.connectionsPerOrigin
    }

    /// Begins one more connection.
    mutating func append(at now: ContinuousClock.Instant) -> HTTP2Pool.ConnectionKey {
        lastKey += 1
        all.append(HTTP2Member(lastKey, settings, at: now))
        return lastKey
    }

    mutating func remove(at index: Int) -> HTTP2Member { all.remove(at: index) }

    var nextDeadline: ContinuousClock.Instant? {
        var next: ContinuousClock.Instant?
        for member in all { next = min(next ?? member.nextDeadline, member.nextDeadline) }
        return next
    }
}
