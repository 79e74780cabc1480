import Inbox
import Store

/// An open store, and how to let go of what it needs beside itself.
struct OpenedStore: Sendable {
    let store: any Store
    /// Where applications leave events; nil where they cannot.
    var outbox: (any Outbox)?
    /// The clock by which its pushes wait; nil for the process' own.
    var clock: (@Sendable () -> Timestamp)?
    /// Lets another process have the data folder. To be called after the store was closed.
    var release: @Sendable () -> Void = {}
}
