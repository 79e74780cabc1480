/// Names a connection on its shard; a reused descriptor number gets a new generation.
package struct ConnectionID: Sendable, Hashable {
    package let descriptor: Int32
    package let generation: UInt32
}
