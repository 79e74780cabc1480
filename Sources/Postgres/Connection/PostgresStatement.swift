/// The text of one SQL statement, with `$1`, `$2`, … where its parameters go.
///
/// Written as a literal, or composed of literals: no value is ever a part of it. A connection prepares each text once.
package struct PostgresStatement: Hashable, Sendable, ExpressibleByStringLiteral {
    package let text: String

    package init(stringLiteral text: String) { self.text = text }

    /// - Parameter text: holds no values, and comes in few forms: each is prepared.
    package init(composed text: String) { self.text = text }
}
