package import Store

/// A write of any kind, given as a closure.
package final class ClosureWrite<Value: Sendable>: Write {
    package let rows: Int
    package let isRehearsal: Bool
    package let owner: String?
    private let people: ExpectedPeople
    private let completion: @Sendable (Result<Value, StoreError>) -> Void
    private let body: @Sendable (OpenTransaction) throws -> Result<Value, StoreError>

    package init(
        rows: Int = 1, isRehearsal: Bool = false, owner: String? = nil,
        expecting people: ExpectedPeople = ExpectedPeople(),
        completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        perform: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        (self.rows, self.isRehearsal, self.owner) = (rows, isRehearsal, owner)
        (self.people, self.completion, body) = (people, completion, perform)
    }

    /// The closure looks up its own keys.
    package func gatherKeys(into keys: inout [EventKey]) {}

    package func gatherPeople(into people: inout ExpectedPeople, in open: OpenTransaction) {
        if !self.people.isEmpty { people += self.people }
    }

    package func perform(in open: OpenTransaction) throws -> WriteReport {
        let result = try body(open)
        return .other { [completion] in completion(result) }
    }

    package func fail(_ reason: StoreError) { completion(.failure(reason)) }
}
