import Transport

/// What a session is told of its user's settings: the newest, and not before the session is in sync.
extension LiveSession {
    func deliver(settings frame: OutgoingMessage, _ on: borrowing OnShard) {
        heldSettings = frame
        tellSettings(on)
    }

    /// Sends what waits, unless the session is still catching up or its reader has enough.
    func tellSettings(_ on: borrowing OnShard) {
        guard let frame = heldSettings, let webSocket, machine.position != nil, !machine.isBehind, !machine.hasEnded,
            webSocket.refusedBytes < node.settings.limits.queuedBytes
        else { return }
        heldSettings = nil
        send(frame, on)
    }
}
