/// A message's bytes: in the receive buffer, or gathered.
///
/// At least ``paddingBytes`` meaningless bytes behind them can be read; for borrowed bytes, the owner of the buffer
/// provides that.
package enum WebSocketPayload {
    /// In the receive buffer, and valid as long as it is.
    case borrowed(UnsafeRawBufferPointer)
    case gathered([UInt8])

    /// The room that JSON readers need, which read in steps of this length.
    package static let paddingBytes = 64

    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch self {
        case .borrowed(let bytes): try body(bytes)
        case .gathered(let bytes):
            try bytes.withUnsafeBufferPointer { bytes throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
        }
    }
}
