import Inbox
import SQLiteStore
import Store
import Testing

/// Webhooks of nodes that share a store.
@Suite(.ifPostgresIsTested) struct SharedWebhookTests {
    @Test func `two nodes never have the same webhook at hand, and take over what the other has left`() async throws {
        let configure: @Sendable (inout SQLiteStoreOptions) -> Void = { $0.webhooks = .twoEndpoints }
        try await withTwoStores(yaml: StoreFixture.yaml, configure) { first, second in
            for number in 0..<40 {
                try await first.say("\(number)", to: .ada)
                let ids = try await first.ids(of: .ada)
                _ = try await (number % 2 == 0 ? first : second).store.apply(.read(.ids(ids)), for: .ada, at: .at(1))
            }
            async let one = first.store.leaseWebhooks(15, for: "reads", at: .at(2))
            async let other = second.store.leaseWebhooks(15, for: "reads", at: .at(2))
            let (mine, theirs) = (Set(try await one.webhooks.map(\.id)), Set(try await other.webhooks.map(\.id)))
            #expect(mine.count == 15 && theirs.count == 15)
            #expect(mine.isDisjoint(with: theirs))
            // What both have at hand waits for the end of its lease.
            #expect(try await first.store.leaseWebhooks(for: "reads", at: .at(3)).webhooks.count == 10)
            #expect(try await second.store.leaseWebhooks(for: "reads", at: .at(62)).webhooks.count == 30)
        }
    }
}
