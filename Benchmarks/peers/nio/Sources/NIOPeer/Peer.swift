import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A publish-and-subscribe server on SwiftNIO, as a Swift developer would write it with speed in mind.
///
/// `GET /feeds/NAME` with a WebSocket upgrade subscribes; the body of `POST /feeds/NAME` goes to all subscribers as one
/// text message. Standard output says {"port":P} once it listens; the end of standard input ends the program.
@main
enum Peer {
    static func main() throws {
        // One loop, for one core: subscribers and publishers share it, so that nothing is locked or handed over.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let feeds = NIOLoopBoundBox.makeBoxSendingValue(Feeds(on: group.next()), eventLoop: group.next())
        let listener = try ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .serverChannelOption(.maxMessagesPerRead, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // A channel keeps its receive buffers: one small one, for thousands of clients that hardly ever speak. That
            // of a publisher grows with its first request.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 512))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try configure(channel, feeds) }
            }
            .bind(host: "127.0.0.1", port: 0)
            .wait()
        print(#"{"port":\#(listener.localAddress?.port ?? 0)}"#)
        fflush(nil)  // a pipe's end would else wait for more
        while readLine() != nil {}
        try group.syncShutdownGracefully()
    }

    private static func configure(_ channel: any Channel, _ feeds: NIOLoopBoundBox<Feeds>) throws {
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, request in
                channel.eventLoop.makeSucceededFuture(Feeds.name(in: request.uri) == nil ? nil : HTTPHeaders())
            },
            upgradePipelineHandler: { channel, request in
                channel.eventLoop.makeCompletedFuture {
                    guard let name = Feeds.name(in: request.uri) else { return }
                    try channel.pipeline.syncOperations.addHandler(Subscriber(of: feeds.value.feed(named: name)))
                }
            })
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withServerUpgrade: (
                upgraders: [upgrader],
                completionHandler: { context in
                    let pipeline = context.pipeline.syncOperations
                    if let publishing = try? pipeline.handler(type: Publishing.self) {
                        pipeline.removeHandler(publishing, promise: nil)
                    }
                }
            ))
        try pipeline.addHandler(Publishing(to: feeds.value))
    }
}
