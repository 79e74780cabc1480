import JSON

extension SinkFault.Answer {
    /// The service's own reply, with the script's headers and body in place of its own.
    package func applied(to reply: PushReply) -> PushReply {
        var reply = reply
        if let body { reply.body = body.string.map { Array($0.utf8) } ?? body.encoded }
        reply.headers.removeAll { headers[$0.name] != nil }
        reply.headers += headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        return reply
    }

    /// The header of any service that asks a sender to come back later.
    var retryAfterHeader: [(name: String, value: String)] {
        retryAfter.map { [("retry-after", String($0.components.seconds))] } ?? []
    }
}
