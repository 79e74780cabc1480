import Deliveries
import Inbox
import Store

/// A write of any kind, given as a closure.
final class ClosureWrite<Value: Sendable>: Write {
    let rows: Int
    let isRehearsal: Bool
    let owner: String?
    private let completion: @Sendable (Result<Value, StoreError>) -> Void
    private let body: @Sendable (OpenTransaction) throws -> Result<Value, StoreError>

    init(
        rows: Int = 1, isRehearsal: Bool = false, owner: String? = nil,
        completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        perform: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        (self.rows, self.isRehearsal, self.owner) = (rows, isRehearsal, owner)
        (self.completion, body) = (completion, perform)
    }

    /// The closure looks up its own keys.
    func gatherKeys(into keys: inout [EventKey]) {}

    func perform(in open: OpenTransaction) throws -> WriteReport {
        let result = try body(open)
        return .other { [completion] in completion(result) }
    }

    func fail(_ reason: StoreError) { completion(.failure(reason)) }
}
