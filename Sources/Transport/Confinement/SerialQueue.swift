package import Dispatch

/// Runs pieces of work one after the other, in the order in which they were posted.
package enum SerialQueue: Sendable {
    case dispatch(DispatchQueue)
    /// A shard stays on its queue while it has work, and takes posted work through its mailbox. Work that is posted
    /// after the shard was stopped never runs.
    case shard(Shard)
}
