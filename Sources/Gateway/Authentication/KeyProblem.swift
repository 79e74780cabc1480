/// Why keys cannot be had: the operator's to solve. Nothing of a key is in it.
package struct KeyProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A file's path, or a setting's name.
    package let source: String
    package let reason: String

    package var description: String { "\(source): \(reason)" }
}
