import Synchronization
import Testing

@testable import Bench

struct PushCounterTests {
    private static func page(accepted: Int, gone: Int) -> String {
        """
        # TYPE belfry_pushes_total counter
        belfry_pushes_total{provider="apns",verdict="accepted"} \(accepted)
        belfry_pushes_total{provider="apns",verdict="device_gone"} \(gone)

        """
    }

    private static func counts(_ pages: [String]) async throws -> PushCounter.Counts {
        let rest = Mutex(pages[...])
        let counter = PushCounter { Array(rest.withLock { $0.removeFirst() }.utf8) }
        for _ in pages { try await counter.look() }
        return counter.counts
    }

    @Test func `counts what came since the first look`() async throws {
        let counts = try await Self.counts([
            Self.page(accepted: 5, gone: 2), Self.page(accepted: 7, gone: 2), Self.page(accepted: 9, gone: 3),
        ])
        #expect((counts.accepted, counts.others) == (4, 1))
    }

    @Test func `counts other answers also where nothing is accepted`() async throws {
        let counts = try await Self.counts([Self.page(accepted: 5, gone: 0), Self.page(accepted: 5, gone: 40)])
        #expect((counts.accepted, counts.others) == (0, 40))
    }
}
