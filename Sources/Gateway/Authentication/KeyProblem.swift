/// The reason why keys cannot be loaded, for the operator to solve. Contains no part of a key.
package struct KeyProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A file's path, or a setting's name.
    package let source: String
    package let reason: String

    package var description: String { "\(source): \(reason)" }
}
