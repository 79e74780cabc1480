/// Why a run has no result, for the person who started it.
package struct BenchFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
