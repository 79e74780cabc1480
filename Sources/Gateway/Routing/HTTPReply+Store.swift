import Store
import Transport
import WireProtocol

/// Answers from what the store gives. An error of the store becomes a problem.
extension HTTPReply {
    /// The completion of a call to the store that answers with its value.
    func answer<Value>(
        _ response: @escaping @Sendable (Value) -> HTTPResponse
    ) -> @Sendable (Result<Value, StoreError>) -> Void {
        then { send(response($0)) }
    }

    /// The same, for a value that may be missing: then the answer is `problem`.
    func answer<Value>(
        or problem: Problem, _ response: @escaping @Sendable (Value) -> HTTPResponse
    ) -> @Sendable (Result<Value?, StoreError>) -> Void {
        then(or: problem) { send(response($0)) }
    }

    /// The completion of a call to the store that goes on with its value.
    func then<Value>(
        _ next: @escaping @Sendable (Value) -> Void
    ) -> @Sendable (Result<Value, StoreError>) -> Void {
        { result in
            switch result {
            case .failure(let error): send(Problem(error).response)
            case .success(let value): next(value)
            }
        }
    }

    /// The same, for a value that may be missing: then the answer is `problem`.
    func then<Value>(
        or problem: Problem, _ next: @escaping @Sendable (Value) -> Void
    ) -> @Sendable (Result<Value?, StoreError>) -> Void {
        then { value in if let value { next(value) } else { send(problem.response) } }
    }
}
