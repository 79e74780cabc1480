/// TLS handshakes of one shard: as many steps a turn as ``HandshakeLine`` allows, and the others wait. Confined to the
/// shard.
final class HandshakeTurns {
    private var line = HandshakeLine<Connection>()
    private var isTurnPosted = false

    /// How many wait for a turn that has room for their next step.
    var waitingCount: Int { line.count }

    /// Has ``Connection/takeHandshakeStep(_:)`` called soon.
    ///
    /// - Returns: whether others come first: till then the socket need not be watched.
    func queue(_ connection: Connection, hasBegun: Bool, _ on: borrowing OnShard) -> Bool {
        line.append(connection, hasBegun: hasBegun)
        postTurn(on)
        return line.count > HandshakeLine<Connection>.stepsPerTurn
    }

    /// By letter: whatever is ready by the time it is read has its turn in between, with either poller.
    private func postTurn(_ on: borrowing OnShard) {
        guard !isTurnPosted, line.count > 0 else { return }
        isTurnPosted = true
        on.shard.post { on in on.shard.handshakes.takeSteps(on) }
    }

    private func takeSteps(_ on: borrowing OnShard) {
        var steps = 0
        while steps < HandshakeLine<Connection>.stepsPerTurn, let connection = line.next(step: steps) {
            // Who closed while waiting costs nothing.
            if connection.takeHandshakeStep(on) { steps += 1 }
        }
        isTurnPosted = false
        postTurn(on)
    }
}
