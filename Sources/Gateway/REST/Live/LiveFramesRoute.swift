import Transport
import WireProtocol

/// `POST /v1/live/frames/{session}`: frames from a client without a WebSocket, each in a line. The answers to them come
/// on its event stream, or with its next poll.
struct LiveFramesRoute {
    let node: Node

    func take(_ call: UserCall) throws(Problem) {
        guard let stream = node.openStreams.stream(named: call.name, of: call.caller.user) else {
            throw .unknownSession
        }
        var lines = call.request.body
        // A frame's parser reads beyond its end.
        lines.reserveCapacity(lines.count + Shard.inputPadding)
        stream.post { [lines] handler, on in
            lines.withUnsafeBytes { bytes in
                for line in bytes.split(separator: UInt8(ascii: "\n")) {
                    handler.received(text: UnsafeRawBufferPointer(rebasing: line), on)
                }
            }
        }
        call.reply.send(HTTPResponse(status: 204))
    }
}
