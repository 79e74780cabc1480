import Dispatch
package import Inbox
import Postgres
import Synchronization

/// The database's clock, by which pushes wait: the clocks of nodes may differ.
///
/// It goes on by itself between two looks at the server. From any thread.
package final class DatabaseClock: Sendable {
    private struct State {
        /// The server's time minus this machine's running clock, in milliseconds; nil before the first look.
        var offset: Int64?
        /// By how much the offset may be wrong.
        var error: Duration = .zero
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now

    package init() {}

    /// The database's time.
    package var now: Timestamp {
        Timestamp(milliseconds: running + (state.withLock(\.offset) ?? 0))
    }

    /// Looks at the server's clock.
    ///
    /// - Returns: how long the answer took.
    @discardableResult
    func look(on connection: PostgresConnection) throws -> Duration {
        let before = ContinuousClock.now
        let time = try connection.run("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8")[0].int64(0)
        let trip = ContinuousClock.now - before
        // The server has read its clock somewhere on the way: in its middle, as far as is known.
        let middle = Self.milliseconds(before + trip / 2 - start)
        state.withLock { state in
            let offset = time - middle
            // A slow answer says little; the last quick one is better until the clocks have drifted.
            if state.offset == nil || trip <= state.error || abs(offset - (state.offset ?? 0)) > Self.milliseconds(trip)
            {
                (state.offset, state.error) = (offset, trip)
            } else {
                state.error += .microseconds(100)
            }
        }
        return trip
    }

    private var running: Int64 { Self.milliseconds(.now - start) }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        Int64((duration / .milliseconds(1)).rounded())
    }
}
