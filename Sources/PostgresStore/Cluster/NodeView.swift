/// What a transaction has to know of the nodes.
package struct NodeView: Sendable, Hashable {
    /// This node's number.
    package let number: Int64
    /// Whether there were others a moment ago.
    package let hasOthers: Bool

    package init(number: Int64, hasOthers: Bool) { (self.number, self.hasOthers) = (number, hasOthers) }
}
