/// Writes whole frames (RFC 6455 §5.2).
///
/// `maskingKey` is for clients, which draw a new one for each frame (RFC 6455 §5.3); servers pass nil.
package enum FrameEncoder {
    /// A whole text message in one frame. The payload must be UTF-8.
    package static func text(_ payload: some Collection<UInt8>, maskingKey: UInt32? = nil) -> [UInt8] {
        encode(.text, payload, maskingKey: maskingKey)
    }

    /// A whole binary message in one frame.
    package static func binary(_ payload: some Collection<UInt8>, maskingKey: UInt32? = nil) -> [UInt8] {
        encode(.binary, payload, maskingKey: maskingKey)
    }

    /// - Parameter payload: at most 125 bytes.
    package static func ping(_ payload: some Collection<UInt8>, maskingKey: UInt32? = nil) -> [UInt8] {
        precondition(payload.count <= 125)
        return encode(.ping, payload, maskingKey: maskingKey)
    }

    /// - Parameter payload: at most 125 bytes.
    package static func pong(_ payload: some Collection<UInt8>, maskingKey: UInt32? = nil) -> [UInt8] {
        precondition(payload.count <= 125)
        return encode(.pong, payload, maskingKey: maskingKey)
    }

    /// - Parameters:
    ///   - code: nil for a close frame without one.
    ///   - reason: cut at the end of a character if it is too long for the frame.
    package static func close(_ code: UInt16?, reason: String = "", maskingKey: UInt32? = nil) -> [UInt8] {
        encode(.close, CloseFrame(code: code, reason: reason).payload, maskingKey: maskingKey)
    }

    /// One text message in several frames, for peers and tests that need small frames.
    package static func fragments(
        ofText payload: some Collection<UInt8>, maximumPayloadBytes: Int, maskingKey: @autoclosure () -> UInt32? = nil
    ) -> [[UInt8]] {
        var rest = Array(payload)[...]
        var frames: [[UInt8]] = []
        repeat {
            let piece = rest.prefix(maximumPayloadBytes)
            rest = rest.dropFirst(maximumPayloadBytes)
            let opcode = frames.isEmpty ? Opcode.text : .continuation
            frames.append(encode(opcode, isFinal: rest.isEmpty, piece, maskingKey: maskingKey()))
        } while !rest.isEmpty
        return frames
    }

    /// The length of an unmasked frame with a payload of this size.
    package static func byteCount(ofPayload payloadBytes: Int) -> Int {
        FrameHeader(opcode: .text, payloadBytes: payloadBytes).byteCount + payloadBytes
    }

    static func encode(
        _ opcode: Opcode, isFinal: Bool = true, isCompressed: Bool = false, _ payload: some Collection<UInt8>,
        maskingKey: UInt32?
    ) -> [UInt8] {
        let frame = payload.withContiguousStorageIfAvailable {
            encode(
                opcode, isFinal: isFinal, isCompressed: isCompressed, UnsafeRawBufferPointer($0),
                maskingKey: maskingKey)
        }
        return frame
            ?? encode(opcode, isFinal: isFinal, isCompressed: isCompressed, Array(payload), maskingKey: maskingKey)
    }

    /// - Parameters:
    ///   - isCompressed: whether `payload` is compressed, and a message begins here (RFC 7692 §6.1).
    ///   - payload: must be UTF-8 in a text frame.
    package static func encode(
        _ opcode: Opcode, isFinal: Bool = true, isCompressed: Bool = false, _ payload: UnsafeRawBufferPointer,
        maskingKey: UInt32?
    ) -> [UInt8] {
        let header = FrameHeader(
            opcode: opcode, isFinal: isFinal, isCompressed: isCompressed, payloadBytes: payload.count,
            maskingKey: maskingKey)
        let headerBytes = header.byteCount
        var frame: [UInt8] = []
        frame.append(addingCapacity: headerBytes + payload.count) { room in
            room.withUnsafeMutableBufferPointer { room, count in
                let frame = UnsafeMutableRawBufferPointer(room)
                header.write(to: frame)
                let body = UnsafeMutableRawBufferPointer(rebasing: frame[headerBytes..<(headerBytes + payload.count)])
                body.copyMemory(from: payload)
                if let maskingKey { Masking.apply(maskingKey, to: body) }
                count = headerBytes + payload.count
            }
        }
        return frame
    }
}
