package import Dispatch

/// Where pieces of work run one after the other, in the order in which they were posted.
package enum SerialQueue: Sendable {
    case dispatch(DispatchQueue)
    /// A shard stays on its queue for as long as it has work, and takes others' through its mailbox; what is posted
    /// after it was stopped never runs.
    case shard(Shard)
}
