import Glibc
import Inbox
import Synchronization

/// Gives events their names, from any thread.
final class EventNames: Sendable {
    private static let wordsAtOnce = 32

    private let reserve = Mutex<[UInt64]>([])

    func next(at now: Timestamp) -> String { EventName.make(at: now, chance: draw()) }

    /// Two words that nobody gets again. The system is asked for many at once: a call for each takes longer than all
    /// that is made of it.
    private func draw() -> (UInt64, UInt64) {
        reserve.withLock { words in
            if words.count < 2 { words = Self.random() }
            return (words.removeLast(), words.removeLast())
        }
    }

    private static func random() -> [UInt64] {
        [UInt64](unsafeUninitializedCapacity: wordsAtOnce) { words, count in
            // No more than 256 octets, so that it gives all or none (getrandom(2)).
            if getentropy(words.baseAddress, wordsAtOnce * MemoryLayout<UInt64>.size) != 0 {
                for place in 0..<wordsAtOnce { words[place] = .random(in: .min ... .max) }
            }
            count = wordsAtOnce
        }
    }
}
