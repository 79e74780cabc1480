import Inbox
import SQLiteStore
import Store
import Testing

/// Questions of nodes that share a store.
@Suite(.ifPostgresIsTested) struct SharedQuestionTests {
    @Test func `of nodes that settle at once, each question is settled by one, removed ones too`() async throws {
        let configure: @Sendable (inout SQLiteStoreOptions) -> Void = {
            $0.webhooks = .twoEndpoints
            $0.recipientsPerPage = 7
        }
        try await withTwoStores(yaml: StoreFixture.yaml, configure) { first, second in
            let people = (0..<40).map { UserID.user("person \($0)") }
            for person in people {
                _ = try await first.ask(.deployment(answerBy: .at(60), fallback: "reject"), to: person)
            }
            let gone = people[7]
            try await first.store.apply(.remove(.upTo(99)), for: gone)
            async let one = first.store.settleQuestions(at: .at(60))
            async let other = second.store.settleQuestions(at: .at(60))
            _ = try await (one, other)
            for person in people where person != gone {
                #expect(try await second.asked(of: person)?.answer?.action == "reject")
            }
            let told = try await first.store.leaseWebhooks(at: .at(99)).webhooks.map(\.told)
            #expect(told.count == 40 && Set(told).count == 40)
        }
    }
}
