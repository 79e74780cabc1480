import Foundation
import GRDB
import Support
import Testing

@testable import SQLiteStore

/// Random histories of everything that can be asked of a store, once against plain dictionaries and once against
/// SQLite's tables, under the same rules.
struct HistoryTests {
    private static let isLong = ProcessInfo.processInfo.environment["BELFRY_LONG"] != nil
    private static let steps = isLong ? 10_000 : 200

    @Test(arguments: Seeds.some(3, of: 10))
    func `SQLite answers, tells and keeps what the reference engine does`(_ seed: UInt64) throws {
        let queue = try DatabaseQueue()
        try Schema.migrations.migrate(queue)
        try queue.writeWithoutTransaction { db in
            let history = try History(db, seed: seed)
            for step in 1...Self.steps {
                do {
                    try history.step()
                    if step % 50 == 0 || step == Self.steps { try history.compareRows() }
                    if step % 10 == 0 { try history.compareReads() }
                } catch {
                    Issue.record("seed \(seed), step \(step), \(history.told):\n\(error)")
                    return
                }
            }
        }
    }
}
