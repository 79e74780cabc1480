/// The kind of poller that a shard uses.
package enum PollerKind: String, Sendable, CaseIterable {
    /// One Dispatch source on the shard's own epoll descriptor.
    case epoll
    /// One Dispatch source a socket.
    case dispatch
}
