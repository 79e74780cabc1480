import Transport
import WireProtocol

/// `/v1/live/poll/{session}`: the second and all further polls of a session without a WebSocket, and its end.
struct LivePollRoute {
    let node: Node

    /// Confirms the frames that have come, and waits for further ones.
    func ask(_ call: UserCall) throws(Problem) {
        guard let after = call.request.head.query["after"].flatMap({ Int($0) }), after >= 0 else {
            throw .parameter("after", "expected `next` of the last answer")
        }
        try poll(of: call).ask(after: after, call.reply)
    }

    func end(_ call: UserCall) throws(Problem) {
        try poll(of: call).end()
        call.reply.send(HTTPResponse(status: 204))
    }

    private func poll(of call: UserCall) throws(Problem) -> OpenPolls.Poll {
        guard let poll = node.openPolls.poll(named: call.name, of: call.caller.user) else { throw .unknownSession }
        return poll
    }
}
