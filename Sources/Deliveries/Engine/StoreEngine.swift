package import Inbox
package import Store

/// A store that follows the rules: an engine gives transactions and snapshots, and nearly every call of ``Store``
/// follows from these.
///
/// All calls return at once. Bodies and completions run on the engine's queues; a call that is refused at once completes
/// before it returns.
///
/// An engine has the rest of ``Store`` to itself: publishing and acknowledging, what it remembers, its figures, its
/// damage, and the end.
package protocol StoreEngine: Store {
    /// The settings of the rules.
    var rules: StoreOptions { get }

    /// Has `body` run in a transaction, with other writes that come at the time. The completion runs after the durable
    /// commit.
    ///
    /// - Parameters:
    ///   - rows: about how many rows the write may touch.
    ///   - isRehearsal: whether the write is undone. It shares its transaction with no other.
    ///   - owner: whose writes keep their order and take turns with others', where more waits than one transaction holds;
    ///     nil: the server's own.
    ///   - people: those whom `body` serves, as far as that is known before.
    ///   - body: changes nothing if it returns a failure. An error that it throws makes the transaction worthless.
    func write<Value: Sendable>(
        rows: Int, isRehearsal: Bool, owner: String?, expecting people: ExpectedPeople,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>)

    /// As a write, but behind all acknowledgements that wait: for writes that hand out pushes.
    func writeBehindAcknowledgements<Value: Sendable>(
        rows: Int, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>)

    /// Has `body` read as of one moment, which includes each commit that was told before the call.
    func read<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (any StoreReads) throws -> Value)

    /// Has `body` read one inbox as of one moment. A missing inbox is created first, so that its epoch holds from the
    /// first read on.
    func readInbox<Value: Sendable>(
        of user: UserID, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (any InboxReads, InboxRecord) throws -> Value)
}

extension StoreEngine {
    /// A write for nobody who is known before.
    package func write<Value: Sendable>(
        rows: Int, isRehearsal: Bool, owner: String?,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        write(
            rows: rows, isRehearsal: isRehearsal, owner: owner, expecting: ExpectedPeople(), completion, body)
    }

    /// A write of the server's own.
    package func write<Value: Sendable>(
        rows: Int, isRehearsal: Bool, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        write(rows: rows, isRehearsal: isRehearsal, owner: nil, completion, body)
    }

    /// A write of one row or a few, for a person where one is named.
    func write<Value: Sendable>(
        for user: UserID? = nil, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Value
    ) {
        write(
            rows: 1, isRehearsal: false, owner: nil, expecting: ExpectedPeople(user.map { [$0] } ?? []), completion
        ) { open in .success(try body(open)) }
    }

    /// A write that is never refused by itself.
    func write<Value: Sendable>(
        rows: Int, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Value
    ) {
        write(rows: rows, isRehearsal: false, completion) { open in .success(try body(open)) }
    }

    /// Does one step of long work, and the next behind writes that came meanwhile.
    ///
    /// - Parameters:
    ///   - rows: about how many rows a step may touch.
    ///   - owner: of each step's write.
    ///   - progress: what is known before the first step.
    ///   - completion: gets the progress after the last step.
    ///   - step: does a step, and returns whether it was the last.
    func work<Progress: Sendable>(
        rows: Int, isRehearsal: Bool = false, owner: String? = nil, from progress: Progress,
        _ completion: @escaping @Sendable (Result<Progress, StoreError>) -> Void,
        _ step: @escaping @Sendable (OpenTransaction, inout Progress) throws -> Bool
    ) {
        let judge: @Sendable (Result<(progress: Progress, isLast: Bool), StoreError>) -> Void = { [self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success((let progress, true)): completion(.success(progress))
            case .success((let progress, false)):
                work(rows: rows, isRehearsal: isRehearsal, owner: owner, from: progress, completion, step)
            }
        }
        write(rows: rows, isRehearsal: isRehearsal, owner: owner, judge) { open in
            var progress = progress
            let isLast = try step(open, &progress)
            return .success((progress, isLast))
        }
    }

    /// Passes a result on to a caller who wants a part of it.
    static func passing<Value, Part>(
        _ completion: @escaping @Sendable (Result<Part, StoreError>) -> Void,
        _ part: @escaping @Sendable (Value) -> Part
    ) -> @Sendable (Result<Value, StoreError>) -> Void {
        { result in completion(result.map(part)) }
    }
}
