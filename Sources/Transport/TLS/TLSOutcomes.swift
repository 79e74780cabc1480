/// The result of a handshake's step.
package enum TLSHandshakeOutcome {
    case done
    case wouldBlock
    case failed(TLSFailure)
}

/// The result of a read.
package enum TLSReadOutcome {
    case bytes(Int)
    case wouldBlock
    case endOfStream
    case failed(TLSFailure)
}

/// The result of a write.
package enum TLSWriteOutcome {
    case wrote(Int)
    case wouldBlock
    case failed(TLSFailure)
}
