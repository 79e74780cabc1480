import Glibc
import Testing
import Transport

@testable import Bench

struct ServerProcessTests {
    @Test func `reads a process' CPU and memory, and its own grow with what it does`() throws {
        let process = try ServerProcess(pid: getpid())
        let before = try process.read()
        var random = SplitMix64(seed: 1)
        let ballast = (0..<(4 << 20)).map { _ in UInt64.random(in: 0...9, using: &random) }
        let after = try process.read()
        #expect(after.cpu > before.cpu)
        #expect(after.memory > 0 && before.memory > 0)
        #expect(ballast.count == 4 << 20)
    }

    @Test func `says which process is not there`() {
        // The kernel's highest process id is 2^22.
        let error = #expect(throws: SystemCallError.self) { try ServerProcess(pid: 1 << 22 + 1) }
        #expect(error?.subject.contains("process") == true)
    }

    @Test func `finds its numbers among the kernel's others`() {
        #expect(ServerProcess.memory(in: "VmRSS:\t  99 kB\nRssAnon:\t    1234 kB\nRssFile:\t 5 kB\n") == 1_234 << 10)
        #expect(ServerProcess.memory(in: "VmRSS:\t  99 kB\n") == nil)
        #expect(ServerProcess.softirq(in: "cpu  1 2 3 4 5 6 77 8 9 10\ncpu0 1 2 3\n") == 770_000_000)
    }

    @Test func `finds accepted and other pushes in the metrics, and the time that they took`() async throws {
        let look = PushCounter.look(
            at: """
                # TYPE belfry_pushes_total counter
                belfry_pushes_total{provider="apns",verdict="accepted"} 12
                belfry_pushes_total{provider="fcm",verdict="accepted"} 3
                belfry_pushes_total{provider="apns",verdict="gone"} 2
                belfry_push_jobs 5
                """, time: 1)
        #expect(look == PushCounter.Look(time: 1, accepted: 15, others: 2))
    }
}
