/// The object that a timer calls.
enum TimerTarget {
    case connection(Connection)
    case callback(Callback)

    /// An object, so that timers of connections, by far the most, need no room for it.
    final class Callback {
        let body: (borrowing OnShard) -> Void

        init(_ body: @escaping (borrowing OnShard) -> Void) { self.body = body }
    }
}
