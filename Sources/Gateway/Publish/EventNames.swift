import Glibc
import Inbox
import Synchronization

/// Makes the ids of events, from any thread.
final class EventNames: Sendable {
    private static let wordsAtOnce = 32

    private let reserve = Mutex<[UInt64]>([])

    func next(at now: Timestamp) -> String { EventName.make(at: now, chance: draw()) }

    /// Two random words, used only once. The system is asked for many at once: a call for each takes longer than the
    /// rest of making an id.
    private func draw() -> (UInt64, UInt64) {
        reserve.withLock { words in
            if words.count < 2 { words = Self.random() }
            return (words.removeLast(), words.removeLast())
        }
    }

    private static func random() -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: wordsAtOnce) { words, count in
            // At most 256 octets, so that the system gives all or none (getrandom(2)).
            if getentropy(words.baseAddress, wordsAtOnce * MemoryLayout<UInt64>.size) != 0 {
                for place in 0..<wordsAtOnce { words[place] = .random(in: .min ... .max) }
            }
            count = wordsAtOnce
        }
    }
}
