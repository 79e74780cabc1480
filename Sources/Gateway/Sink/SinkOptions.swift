package import Push
package import Transport

/// What a sink is started with.
package struct SinkOptions: Sendable {
    package var listen: SocketAddress
    /// Its certificate, keys and names.
    package var folder: SinkFolder
    package var script = SinkScript()
    /// The key that signs APNs tokens, in place of the folder's; PEM, private or public. Any key id and team may use
    /// it.
    package var apnsKeyFile: String?
    package var shards = 1
    /// Requests at once on one HTTP/2 connection, told to senders; APNs tells 1,000.
    package var concurrentStreams: UInt32 = 1_000
    /// Whether the summary counts each device with each collapse id, which takes memory.
    package var keepsShown = false

    package init(listen: SocketAddress, folder: SinkFolder) {
        self.listen = listen
        self.folder = folder
    }
}
