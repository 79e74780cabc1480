/// The TLS handshakes of one shard: each turn takes as many steps as ``HandshakeLine`` allows, and the rest waits.
/// Confined to the shard.
final class HandshakeTurns {
    private var line = HandshakeLine<Connection>()
    private var isTurnPosted = false

    /// The number of handshakes that wait for their next step.
    var waitingCount: Int { line.count }

    /// Queues a call of ``Connection/takeHandshakeStep(_:)``.
    ///
    /// - Returns: whether a full turn of others comes first; the socket need not be watched until then.
    func queue(_ connection: Connection, hasBegun: Bool, _ on: borrowing OnShard) -> Bool {
        line.append(connection, hasBegun: hasBegun)
        postTurn(on)
        return line.count > HandshakeLine<Connection>.stepsPerTurn
    }

    /// By letter, so that all sockets that are ready by then get their turn in between, with either poller.
    private func postTurn(_ on: borrowing OnShard) {
        guard !isTurnPosted, line.count > 0 else { return }
        isTurnPosted = true
        on.shard.post { on in on.shard.handshakes.takeSteps(on) }
    }

    private func takeSteps(_ on: borrowing OnShard) {
        var steps = 0
        while steps < HandshakeLine<Connection>.stepsPerTurn, let connection = line.next(step: steps) {
            // A connection that closed while waiting costs nothing.
            if connection.takeHandshakeStep(on) { steps += 1 }
        }
        isTurnPosted = false
        postTurn(on)
    }
}
