import Deliveries
package import Store

extension SQLiteStore {
    package func follow(
        _ jump: ClockJump, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        // Alone in its transaction: later writes find the process' clock moved.
        write(rows: options.rowsPerCommit + 1, completion) { open in
            try QueueMove(open: open, jump: jump).move()
            return .success(())
        }
    }
}
