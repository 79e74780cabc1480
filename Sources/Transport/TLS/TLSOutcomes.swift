/// How far a handshake has come.
package enum TLSHandshakeOutcome {
    case done
    case wouldBlock
    case failed(TLSFailure)
}

/// What a read came to.
package enum TLSReadOutcome {
    case bytes(Int)
    case wouldBlock
    case endOfStream
    case failed(TLSFailure)
}

/// What a write came to.
package enum TLSWriteOutcome {
    case wrote(Int)
    case wouldBlock
    case failed(TLSFailure)
}
