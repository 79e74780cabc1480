import Glibc
import Testing

@testable import Transport

@Suite struct UsableProcessorsTests {
    @Test(arguments: [
        ("max 100000\n", 64), ("100000 100000\n", 1), ("150000 100000\n", 2), ("200000 100000", 2),
        ("200001 100000", 3), ("50000 100000\n", 1), ("1000 1000000", 1), ("6400000 100000", 64),
        ("12800000 100000", 64),
        // An unreadable quota limits nothing.
        ("", 64), ("100000", 64), ("0 100000", 64), ("100000 0", 64), ("-1 100000", 64), ("1e5 100000", 64),
    ])
    func `a quota of time is as many processors as it takes to use it`(quota: String, count: Int) {
        #expect(UsableProcessors.count(allowed: 64, membership: "0::/\n") { $0.isEmpty ? quota : nil } == count)
    }

    @Test func `the narrowest group around the process counts`() {
        let quotas = [
            "": "max 100000", "/pod": "300000 100000", "/pod/app": "800000 100000", "/other": "100000 100000",
        ]
        func count(_ membership: String) -> Int {
            UsableProcessors.count(allowed: 64, membership: membership) { quotas[$0] }
        }
        #expect(count("0::/pod/app\n") == 3)
        #expect(count("0::/pod\n") == 3)
        #expect(count("0::/other\n") == 1)
        #expect(count("0::/\n") == 64)
        // Both versions at once: the hierarchies of version 1 have other numbers.
        #expect(count("12:cpu,cpuacct:/other\n1:name=systemd:/other\n0::/pod/app\n") == 3)
        #expect(count("12:cpu,cpuacct:/other\n") == 64)
        #expect(count("") == 64)
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 3), (64, 3), (0, 1)])
    func `no more than the scheduler allows, and one at least`(allowed: Int, count: Int) {
        #expect(UsableProcessors.count(allowed: allowed, membership: "0::/") { _ in "300000 100000" } == count)
    }

    @Test func `this process may use some of the machine's`() {
        #expect((1...Int(sysconf(Int32(_SC_NPROCESSORS_CONF)))).contains(UsableProcessors.count))
    }
}
