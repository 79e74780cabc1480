import NIOCore
import NIOWebSocket

/// A connection's end of the pipeline after the upgrade. Confined to its event loop.
final class Subscriber: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Where the feed has it, while it has.
    var place: Int?
    private let feed: Feed
    /// Writing from here passes over the encoder, since the feed's frames are encoded already, and over no other handler.
    private var encoder: ChannelHandlerContext?

    init(of feed: Feed) { self.feed = feed }

    func send(_ frames: ByteBuffer) {
        encoder?.write(NIOAny(frames), promise: nil)
        encoder?.flush()
    }

    func handlerAdded(context: ChannelHandlerContext) {
        encoder = try? context.pipeline.syncOperations.context(handlerType: WebSocketFrameEncoder.self)
        feed.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        feed.remove(self)
        encoder = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        feed.remove(self)
        context.fireChannelInactive()
    }

    /// More waits than the channel's high-water mark, 64 KiB: a reader this slow is cut off.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if !context.channel.isWritable { context.close(promise: nil) }
        context.fireChannelWritabilityChanged()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .ping:
            let answer = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        case .connectionClose:
            let answer = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
            context.close(promise: nil)
        default:
            break  // subscribers have nothing to say
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
