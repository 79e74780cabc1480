import Dispatch
import Synchronization
import Testing

/// What is done beside the test, on a thread of its own.
final class Beside<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let group = DispatchGroup()

    init(_ body: @escaping @Sendable () throws -> Value) {
        DispatchQueue(label: "beside").async(group: group) {
            let result = Result { try body() }
            self.result.withLock { $0 = result }
        }
    }

    /// Waits for its end.
    func value() throws -> Value {
        #expect(group.wait(timeout: .now() + 120) == .success)
        return try #require(result.withLock { $0 }).get()
    }
}
