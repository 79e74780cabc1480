/// Why a script cannot be used.
package struct SinkScriptError: Error, Hashable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    package let reason: String

    package init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    package var description: String { "line \(line): \(reason)" }
}
