import Dispatch
import Support
import Synchronization

/// Events on other threads, in order, for a test to read one by one.
final class Journal<Entry: Sendable>: Sendable {
    struct NothingCame: Error {}

    private static var patience: DispatchTimeInterval { .seconds(Int(Duration.patience.components.seconds)) }

    private let entries = Mutex<[Entry]>([])
    private let count = DispatchSemaphore(value: 0)

    func write(_ entry: Entry) {
        entries.withLock { $0.append(entry) }
        count.signal()
    }

    /// Waits for the next entry and takes it out.
    func next(within patience: DispatchTimeInterval? = nil) throws -> Entry {
        guard count.wait(timeout: .now() + (patience ?? Self.patience)) == .success else { throw NothingCame() }
        return entries.withLock { $0.removeFirst() }
    }

    func next(_ wanted: Int) throws -> [Entry] { try (0..<wanted).map { _ in try next() } }

    /// The entries that have been written and not taken out.
    var rest: [Entry] { entries.withLock { $0 } }
}
