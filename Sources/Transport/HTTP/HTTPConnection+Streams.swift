import WireProtocol

extension HTTPConnection {
    var refusedBytes: Int { connection.refusedBytes }

    func beginStream(_ head: HTTPRequestHead, _ handler: any HTTPStreamHandler, _ on: borrowing OnShard) {
        parser.maximumBodyBytes = .max
        connection.removeDeadline()
        state = .streaming(head, handler, bodyEnded: false)
        if head.expectsContinue { connection.send(HTTPResponse.goOn, on) }
        let reference = HTTPStreamReference(shard: on.shard, connection: connection.id, serial: serial)
        handler.opened(HTTPStream(self, reference: reference), on)
    }

    func startStream(_ status: Int, _ headers: HTTPHeaders, serial: UInt64, _ on: borrowing OnShard) {
        guard case .streaming(let head, _, _) = state, serial == self.serial else { return }
        connection.send(
            HTTPResponse.chunkedHead(status: status, headers: headers, isKeepAlive: head.isKeepAlive), on)
    }

    func write(_ bytes: [UInt8], serial: UInt64, _ on: borrowing OnShard) {
        guard streamHandler(serial: serial) != nil else { return }
        connection.send(bytes, on)
        if isBlocked { holdAnswers(on) }
    }

    func streamHandler(serial: UInt64) -> (any HTTPStreamHandler)? {
        guard case .streaming(_, let handler, _) = state, serial == self.serial else { return nil }
        return handler
    }

    func setStreamReading(_ isReading: Bool, _ on: borrowing OnShard) {
        guard isReading != isStreamReading, case .streaming = state else { return }
        isStreamReading = isReading
        connection.setReading(isReading && !peerHasFinished, on)
        if isReading { parse(on) }
    }

    func streamEnded(serial: UInt64, _ on: borrowing OnShard) {
        guard case .streaming(let head, _, let bodyEnded) = state, serial == self.serial else { return }
        isStreamReading = true
        state = .answering(head, overlaps: false)
        // If the answer ends before its request, the place where the next request begins is unknown.
        goOn(head.isKeepAlive && bodyEnded && !peerHasFinished, on)
    }
}
