import Dispatch
import Synchronization
import Testing

@testable import Postgres

@Suite(.needsServer) struct PoolTests {
    @Test func `jobs of a full pool wait in order, and the next one is refused`() async throws {
        var options = PostgresPoolOptions()
        (options.readers, options.waiting) = (1, 3)
        let pool = PostgresPool(try TestServer.address(), .init(), options)
        defer { pool.close() }
        _ = try await pool.read { _ in 0 }
        let gate = DispatchSemaphore(value: 0)
        let order = Mutex<[Int]>([])
        await withCheckedContinuation { (begun: CheckedContinuation<Void, Never>) in
            pool.read(
                { _ in
                    begun.resume()
                    gate.wait()
                }, then: { _ in })
        }
        for number in 1...2 { pool.read({ _ in order.withLock { $0.append(number) } }, then: { _ in }) }
        let last: Int = try await withCheckedThrowingContinuation { done in
            pool.read(
                { connection in Int(try connection.run("SELECT 3::int8")[0].int64(0)) },
                then: { done.resume(with: $0) })
            pool.read(
                { _ in Issue.record("beyond the limit") },
                then: { result in #expect(throws: PostgresPoolRefusal.full) { try result.get() } })
            gate.signal()
        }
        #expect(last == 3)
        #expect(order.withLock { $0 } == [1, 2])
    }

    @Test func `readers work at the same time`() async throws {
        let pool = PostgresPool(try TestServer.address())
        defer { pool.close() }
        let meeting = Rendezvous()
        async let one = pool.read { _ in meeting.meet() }
        async let other = pool.read { _ in meeting.meet() }
        _ = try await (one, other)
    }

    @Test func `a connection that is lost in a job is made again`() async throws {
        var options = PostgresPoolOptions()
        options.readers = 1
        let pool = PostgresPool(try TestServer.address(), .init(), options)
        defer { pool.close() }
        for _ in 0..<3 {
            await #expect(throws: PostgresFailure.self) {
                try await pool.read { try $0.run("SELECT pg_terminate_backend(pg_backend_pid())").count }
            }
            #expect(try await pool.read { try $0.run("SELECT 7::int8")[0].int64(0) } == 7)
        }
    }

    @Test func `without a server jobs are refused after a wait, with the reason`() async throws {
        var options = PostgresPoolOptions()
        options.patience = .milliseconds(200)
        let pool = PostgresPool(try .init("postgres:///x?host=/nowhere"), .init(), options)
        let refusal = await #expect(throws: PostgresPoolRefusal.self) { try await pool.read { _ in 0 } }
        guard case .late(let failure?) = refusal else { throw try #require(refusal) }
        #expect(failure.meaning == .cannotConnect)
        pool.close()
        await #expect(throws: PostgresPoolRefusal.closed) { try await pool.read { _ in 0 } }
    }
}

extension PostgresPool {
    func read<Value: Sendable>(_ body: @escaping @Sendable (PostgresConnection) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { done in read(body, then: { done.resume(with: $0) }) }
    }
}
