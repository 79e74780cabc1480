/// Names a connection on its shard; a descriptor number that is used again gets a new generation.
package struct ConnectionID: Sendable, Hashable {
    package let descriptor: Int32
    package let generation: UInt32
}
