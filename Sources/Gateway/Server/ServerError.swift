/// The reason why Belfry could not start, in words for the operator.
package struct ServerError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
