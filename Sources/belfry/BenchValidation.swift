import ArgumentParser

/// What holds for the options of several benches.
enum BenchValidation {
    static func check(rate: Double, publishers: Int) throws {
        guard rate >= 0 else { throw ValidationError("--rate is 0 or more") }
        guard (1...1_000).contains(publishers) else { throw ValidationError("--publishers is 1 to 1000") }
    }
}
