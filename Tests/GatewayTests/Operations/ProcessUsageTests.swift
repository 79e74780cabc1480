import Testing

@testable import Gateway

struct ProcessUsageTests {
    @Test func `a line of proc is read by its places, whatever the program is called`() throws {
        let line = """
            4711 (belfry (a) b) S 1 4711 4711 0 -1 4194560 9 0 1 0 250 150 0 0 20 0 8 0 5000 999999 300 18446744073709551615 1 1
            """
        let usage = try #require(read(line))
        #expect(usage.cpuSeconds == 4)
        #expect(usage.startedAtSeconds == 1_050)
        #expect(usage.residentBytes == 300 * 4_096)
        #expect((usage.openDescriptors, usage.maximumDescriptors) == (7, 1_024))
    }

    @Test(arguments: [
        "", "4711 belfry S", "4711 (belfry) S 1 2 3", "4711 (belfry) S x x x x x x x x x x x x x x x x x x x x x x",
    ])
    func `another line is none`(_ line: String) {
        #expect(read(line) == nil)
    }

    @Test func `this process takes some of each`() throws {
        let usage = try #require(ProcessUsage.current())
        #expect(usage.residentBytes > 1 << 20)
        #expect(usage.maximumDescriptors > 0)
        #expect(usage.openDescriptors.map { $0 > 2 } != false)
    }

    @Test func `its start stays the same, however often it is asked for`() throws {
        let (first, second) = try (#require(ProcessUsage.current()), #require(ProcessUsage.current()))
        #expect(first.startedAtSeconds == second.startedAtSeconds)
    }

    private func read(_ line: String) -> ProcessUsage? {
        ProcessUsage(
            parsing: line, ticksPerSecond: 100, pageBytes: 4_096, bootedAtSeconds: 1_000, heapBytesInUse: nil,
            openDescriptors: 7,
            maximumDescriptors: 1_024)
    }
}
