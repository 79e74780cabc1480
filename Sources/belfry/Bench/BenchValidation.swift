import ArgumentParser
import Bench

/// Checks for options of several benches.
enum BenchValidation {
    /// The rates that a schedule can have.
    private static let rates = 0.001...1_000_000

    /// - Parameter isOptional: whether 0 has a meaning of its own.
    static func check(rate: Double, _ option: String = "--rate", isOptional: Bool = true) throws {
        guard isOptional && rate == 0 || rates.contains(rate) else {
            throw ValidationError("\(option) is \(isOptional ? "0, or " : "")0.001 to 1000000 a second")
        }
    }

    static func check(publishers: Int) throws {
        guard (1...1_000).contains(publishers) else { throw ValidationError("--publishers is 1 to 1000") }
    }

    static func check(users: Int) throws {
        guard (1...100_000_000).contains(users) else { throw ValidationError("--users is 1 to 100000000") }
    }

    static func check(size: Int) throws {
        guard (Marker.byteCount...1_000_000).contains(size) else {
            throw ValidationError("--size is \(Marker.byteCount) to 1000000")
        }
    }
}
