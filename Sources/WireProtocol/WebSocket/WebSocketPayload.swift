/// A message's bytes: where the network put them, or gathered.
///
/// Behind them at least ``paddingBytes`` bytes can be read, though they mean nothing; a borrowed one leaves that to the
/// owner of the buffer.
package enum WebSocketPayload {
    /// In the buffer of the input, and gone with it.
    case borrowed(UnsafeRawBufferPointer)
    case gathered([UInt8])

    /// What the readers of JSON ask for, who go in steps of this length.
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
