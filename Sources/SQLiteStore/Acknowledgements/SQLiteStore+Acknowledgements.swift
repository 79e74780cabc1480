package import Deliveries
import Dispatch
package import Inbox
package import Store
import Synchronization

extension SQLiteStore {
    package func acknowledge(
        _ user: UserID, upTo seq: Int64, at now: Timestamp,
        completion: (@Sendable (Result<Void, StoreError>) -> Void)?
    ) {
        // Acknowledgements that come before the write's turn are part of it.
        if acknowledgements.add(Acknowledgements.One(seq: seq, time: now), of: user, completion) {
            delayAcknowledgements()
        }
    }

    package func isAcknowledging(_ user: UserID) -> Bool { acknowledgements.isWaiting(user) }

    private func delayAcknowledgements() {
        guard acknowledgementDelay.withLock({ $0.begin() }) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + options.acknowledgementDelay / .seconds(1)) { [self] in
            if acknowledgementDelay.withLock({ $0.ended() }) { writeAcknowledgements() }
        }
    }

    /// Queues all that wait, before the caller's own write and mostly in the same commit.
    func takeAcknowledgementsAlong() {
        if acknowledgementDelay.withLock({ $0.takeAlong() }) { writeAcknowledgements() }
    }

    /// The same, including those that wait to be tried again.
    func takeAllAcknowledgementsAlong() {
        if acknowledgementDelay.withLock({ $0.takeAlong() }) || acknowledgements.count > 0 { writeAcknowledgements() }
    }

    private func writeAcknowledgements() {
        var count = max(acknowledgements.count, 1)
        while count > options.rowsPerCommit {
            writeAcknowledgements(rows: options.rowsPerCommit, isLast: false)
            count -= options.rowsPerCommit
        }
        // Their number of now: announcing the most possible would leave no room for other writes in the commit.
        writeAcknowledgements(rows: count, isLast: true)
    }

    /// - Parameter isLast: whether this write sees to acknowledgements that have come since.
    private func writeAcknowledgements(rows: Int, isLast: Bool) {
        write(Acknowledgements.Batch(of: acknowledgements, limit: options.rowsPerCommit), rows: rows, isLast: isLast)
    }

    private func write(_ batch: Acknowledgements.Batch, rows: Int, isLast: Bool) {
        let done: @Sendable (Result<Void, StoreError>) -> Void = { [self] result in
            switch result {
            case .success:
                batch.written()
                if isLast, batch.leftSome { writeAcknowledgements() }
            case .failure(let error): failed(batch, error)
            }
        }
        write(rows: rows, isRehearsal: false, done) { open in
            try Self.acknowledge(batch.take(), open)
            return .success(())
        }
    }

    /// Waiting acknowledgements come first in the same transaction, including those that failed on their own.
    package func writeBehindAcknowledgements<Value: Sendable>(
        rows: Int, _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        let batch = Acknowledgements.Batch(of: acknowledgements, limit: .max)
        let done: @Sendable (Result<Value, StoreError>) -> Void = { [self] result in
            switch result {
            case .success: batch.written()
            case .failure(let error): failed(batch, error)
            }
            completion(result)
        }
        write(rows: rows, isRehearsal: false, done) { open in
            let taken = batch.take()
            if !taken.isEmpty { try Self.acknowledge(taken, open) }
            return try body(open)
        }
    }

    private static func acknowledge(_ taken: [UserID: Acknowledgements.One], _ open: OpenTransaction) throws {
        try open.expect { .waitingPushes(Array(taken.keys)) }
        for (user, one) in taken { try PushWriter(open: open).acknowledge(user, upTo: one.seq, at: one.time) }
    }

    private func failed(_ batch: Acknowledgements.Batch, _ error: StoreError) {
        switch error {
        // The write was not taken in, and they still wait.
        case .overloaded: delayAcknowledgements()
        // No push leaves any more either.
        case .closed, .damaged:
            _ = batch.failed(error, keeps: false)
            acknowledgements.giveUp(error)
        case .failed where error.isOfOneRow:
            let parts = batch.divided()
            if parts.isEmpty { _ = batch.failed(error, keeps: false) }
            for part in parts { write(part, rows: 1, isLast: false) }
        case .keyReused, .tooManyDevices, .diskFull, .unreachable, .failed:
            guard batch.failed(error, keeps: true) else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + options.acknowledgementRetry / .seconds(1)) { [self] in
                writeAcknowledgements()
            }
        }
    }
}
