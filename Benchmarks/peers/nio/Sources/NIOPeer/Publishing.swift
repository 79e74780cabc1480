import NIOCore
import NIOHTTP1

/// Answers `POST /feeds/NAME`. Confined to its event loop.
final class Publishing: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let feeds: Feeds
    private var request: HTTPRequestHead?
    private var message = ByteBuffer()
    private var isWide = false

    init(to feeds: Feeds) { self.feeds = feeds }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = head
            message = ByteBuffer()
            widen(context)
        case .body(let part):
            message.writeImmutableBuffer(part)
        case .end:
            if let request { answer(request, context) }
            request = nil
        }
    }

    private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var status = HTTPResponseStatus.notFound
        if request.method == .POST, let name = Feeds.name(in: request.uri) {
            feeds.publish(message, to: name)
            status = .accepted
        }
        let head = HTTPResponseHead(version: request.version, status: status, headers: ["Content-Length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        context.fireChannelReadComplete()
    }

    /// Whoever publishes sends much: many requests are read at once, and are then delivered together.
    private func widen(_ context: ChannelHandlerContext) {
        guard !isWide else { return }
        isWide = true
        try? context.channel.syncOptions?.setOption(
            .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 64 << 10))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
