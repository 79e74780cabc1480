import Testing

@testable import WireProtocol

/// The quick reading of an `ack` or a `state` against the parser, its slow twin.
struct BriefFrameTests {
    private func quick(_ text: [UInt8]) -> ClientFrame? { text.withUnsafeBytes(BriefFrame.read) }

    private func reading(_ text: [UInt8]) -> Result<ClientFrame, ClientFrameProblem> {
        Result { () throws(ClientFrameProblem) in try ClientFrame(parsing: text) }
    }

    private func parsed(_ text: [UInt8]) -> Result<ClientFrame, ClientFrameProblem> {
        // With room behind it, as the parser asks for.
        let padded = text + [UInt8](repeating: 0, count: WebSocketPayload.paddingBytes)
        return padded.withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<text.count])
            return Result { () throws(ClientFrameProblem) in try ClientFrame(parsingAny: bytes) }
        }
    }

    @Test(arguments: [0, 7, 10, 4_711, 123_456_789_012_345_678, 999_999_999_999_999_999])
    func `an ack as clients write it is read without the parser`(_ seq: Int64) {
        #expect(quick(ClientFrame(.ack(seq: seq)).encoded) == ClientFrame(.ack(seq: seq)))
    }

    @Test(
        arguments: [
            (#"{"type":"ack","id":7,"seq":12}"#, ClientFrame(id: "7", .ack(seq: 12))),
            (#"{"type": "ack", "id": 7, "seq": 12}"#, ClientFrame(id: "7", .ack(seq: 12))),
            (#"{"seq":12,"id":"a b","type":"ack"}"#, ClientFrame(id: #""a b""#, .ack(seq: 12))),
            (" {\t\"type\" :\n\"ack\", \r\"seq\":1 } ", ClientFrame(.ack(seq: 1))),
            (#"{"type":"state","active":true}"#, ClientFrame(.state(isActive: true))),
            (#"{"id":"","type":"state","active":false}"#, ClientFrame(id: #""""#, .state(isActive: false))),
        ])
    func `their members may come in any order, with spaces between`(_ text: String, _ frame: ClientFrame) {
        #expect(quick(Array(text.utf8)) == frame)
        #expect(parsed(Array(text.utf8)) == .success(frame))
    }

    @Test(
        arguments: [
            #"{"type":"ack","seq":}"#, #"{"type":"ack","seq":01}"#, #"{"type":"ack","seq":-1}"#,
            #"{"type":"ack","seq":1.0}"#, #"{"type":"ack","seq":1e2}"#, #"{"type":"ack","seq":9223372036854775807}"#,
            #"{"type":"ack","seq":99999999999999999999}"#, #"{"type":"ack","seq":1,"seq":2}"#,
            #"{"type":"ack","seq":"1"}"#, #"{"type":"ack","seq":1,"active":true}"#, #"{"type":"ack","active":true}"#,
            #"{"type":"ack","seq":1,"more":2}"#, #"{"type":"ack","id":null,"seq":1}"#,
            #"{"type":"ack","id":-1,"seq":1}"#,
            #"{"type":"ack","id":1.5,"seq":1}"#, #"{"type":"ack","id":"a\n","seq":1}"#,
            #"{"type":"ack","id":"ä","seq":1}"#,
            #"{"type":"ack","id":1,"id":2,"seq":1}"#, #"{"type":"ack","id":123456789012345678901,"seq":1}"#,
            #"{"type":"ack","type":"ack","seq":1}"#, #"{"type":"seen","seq":1}"#, #"{"type":"seen","upTo":1}"#,
            #"{"type":"state","active":1}"#, #"{"type":"state","active":truth}"#, #"{"type":"state","active":tru"#,
            #"{"type":"state","active":"true"}"#, #"{"type":"state","seq":1}"#, #"{"seq":1}"#, #"{"type":"ack"}"#,
            #"{"type":"ack","seq":1,}"#, #"{"type":"ack","seq":1}}"#, #"{"type":"ack","seq":1} x"#,
            #"{"type":"ack","seq":"#, #"{"type":"ack","seq":1"#, #"["type","ack"]"#, "{", "{}", "}", "\"", "",
        ])
    func `all other frames go to the parser`(_ text: String) {
        #expect(quick(Array(text.utf8)) == nil)
        #expect(reading(Array(text.utf8)) == parsed(Array(text.utf8)))
    }

    @Test(
        arguments: [
            #"{"type":"ack","seq":0}"#, #"{"type":"ack","seq":4711}"#, #"{"id":7,"type":"ack","seq":12}"#,
            #"{ "type": "state", "id": "a", "active": true }"#,
        ])
    func `with any byte changed, left out or put in, both read the same`(_ text: String) {
        let text = Array(text.utf8)
        for place in text.indices {
            var shorter = text
            shorter.remove(at: place)
            #expect(reading(shorter) == parsed(shorter))
            for byte in UInt8.min ... .max {
                var (changed, longer) = (text, text)
                changed[place] = byte
                longer.insert(byte, at: place)
                guard reading(changed) == parsed(changed), reading(longer) == parsed(longer) else {
                    Issue.record("byte \(byte) at \(place) is read in two ways")
                    return
                }
            }
        }
    }
}
