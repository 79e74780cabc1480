package import Push
package import Transport

/// The options of a sink.
package struct SinkOptions: Sendable {
    package var listen: SocketAddress
    /// The folder with its certificate, keys and names.
    package var folder: SinkFolder
    package var script = SinkScript()
    /// The key that signs APNs tokens, instead of the folder's; PEM, private or public. Any key id and team are
    /// accepted with it.
    package var apnsKeyFile: String?
    package var shards = 1
    /// The services that it stands in for.
    package var services = PushServices.standard
    /// The concurrent requests on one HTTP/2 connection, as told to senders; APNs tells 1,000.
    package var concurrentStreams: UInt32 = 1_000
    /// Whether the summary counts each device with each collapse id, which takes memory.
    package var keepsShown = false

    package init(listen: SocketAddress, folder: SinkFolder) {
        self.listen = listen
        self.folder = folder
    }
}
