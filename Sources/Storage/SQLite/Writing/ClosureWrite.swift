import Inbox

/// A write of whatever kind.
final class ClosureWrite<Value: Sendable>: Write {
    let rows: Int
    let isRehearsal: Bool
    let isPromised: Bool
    private let completion: @Sendable (Result<Value, StoreError>) -> Void
    private let body: @Sendable (OpenTransaction) throws -> Result<Value, StoreError>

    init(
        rows: Int = 1, isRehearsal: Bool = false, isPromised: Bool = true,
        completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        perform: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        (self.rows, self.isRehearsal, self.isPromised) = (rows, isRehearsal, isPromised)
        (self.completion, body) = (completion, perform)
    }

    /// It asks for those by themselves.
    func gatherKeys(into keys: inout [KeyTable.Name]) {}

    func gatherUsers(into users: inout [UserID]) {}

    func perform(in open: OpenTransaction) throws -> WriteReport {
        // It may look at rows that publishes before it have added.
        try open.newRows.writeNotifications()
        let result = try body(open)
        return .other { [completion] in completion(result) }
    }

    func fail(_ reason: StoreError) { completion(.failure(reason)) }
}
