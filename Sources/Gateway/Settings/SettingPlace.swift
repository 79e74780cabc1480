/// Where a setting was given: in a line of a file, by a variable or by a flag.
package struct SettingPlace: Sendable, Hashable, CustomStringConvertible {
    /// A file's path, the name of a variable or a flag.
    package let source: String
    /// Counted from 1; nil for a file as a whole, a variable and a flag.
    package let line: Int?

    package init(_ source: String, line: Int? = nil) {
        self.source = source
        self.line = line
    }

    package var description: String { line.map { "\(source):\($0)" } ?? source }
}
