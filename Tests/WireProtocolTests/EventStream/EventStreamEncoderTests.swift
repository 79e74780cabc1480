import Testing

@testable import WireProtocol

struct EventStreamEncoderTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a message is one field and an empty line`() {
        let json = #"{"type":"beat","seq":7}"#
        let event = EventStreamEncoder.event(Array(json.utf8))
        #expect(text(event) == "data: \(json)\n\n")
        #expect(event.count == json.utf8.count + EventStreamEncoder.framingBytes)
    }

    @Test func `a line's end between tokens does not end the field`() {
        #expect(text(EventStreamEncoder.event(Array("{\n\"a\":\r\n1\r}".utf8))) == "data: { \"a\":  1 }\n\n")
    }

    @Test func `a place has no data, so clients only keep it`() {
        #expect(text(EventStreamEncoder.place("8ts6wq366364n0h.12")) == "id: 8ts6wq366364n0h.12\n\n")
    }

    @Test func `a proxy's sign of life is a comment`() {
        #expect(text(EventStreamEncoder.sign) == ":\n\n")
    }

    @Test func `the end is a named event with the code and reason of a close frame`() {
        #expect(
            text(EventStreamEncoder.close(4202, reason: "the \"token\"\nhas expired"))
                == "event: close\ndata: {\"code\":4202,\"reason\":\"the \\\"token\\\"\\nhas expired\"}\n\n")
    }
}
