/// One write that waits for its commit.
struct Write: Sendable {
    /// How many rows it may touch, roughly.
    let rows: Int
    /// Whether it is undone when it is done: it shares its transaction with nothing else.
    let isRehearsal: Bool
    /// Whether its caller is told only when the disk has it, and not already when it is committed.
    let isPromised: Bool
    /// Does it in the open transaction and returns what tells the caller, to be run after the commit.
    ///
    /// An expected refusal, which must leave nothing behind in the transaction, is told the same way. Throws what makes
    /// the transaction worthless.
    let perform: @Sendable (OpenTransaction) throws -> @Sendable () -> Void
    /// Tells the caller that it cannot be done.
    let fail: @Sendable (StoreError) -> Void

    /// - Parameter onlyAdds: whether it looks at no notification but through ``OpenTransaction``: what publishes before it have
    ///   added need not be written first.
    init<Value: Sendable>(
        rows: Int = 1, isRehearsal: Bool = false, isPromised: Bool = true, onlyAdds: Bool = false,
        completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        perform: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        self.rows = rows
        self.isRehearsal = isRehearsal
        self.isPromised = isPromised
        self.perform = { open in
            if !onlyAdds { try open.newRows.writeNotifications() }
            let result = try perform(open)
            return { completion(result) }
        }
        fail = { completion(.failure($0)) }
    }
}
