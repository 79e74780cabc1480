import Testing

@testable import WireProtocol

@Suite struct HTTPResponseMemoryTests {
    private static let plain: HTTPHeaders = ["Content-Type": "application/json"]
    private static let responses = [
        HTTPResponse(status: 202, headers: plain, body: Array("{}".utf8)),
        HTTPResponse(status: 202, headers: plain, body: [UInt8](repeating: 0x20, count: 12_345)),
        HTTPResponse(status: 202, headers: plain),
        HTTPResponse(status: 200, headers: plain, body: [0x31]),
        HTTPResponse(status: 200, headers: ["Content-Type": "application/json", "ETag": "\"a.1\""], body: [0x31]),
        HTTPResponse(status: 200, headers: ["Content-Length": "7", "Connection": "close"], body: [0x31]),
        // Equal to Swift, but not the same octets.
        HTTPResponse(status: 200, headers: ["X-Feed": "caf\u{E9}"], body: [0x31]),
        HTTPResponse(status: 200, headers: ["X-Feed": "cafe\u{301}"], body: [0x31]),
        HTTPResponse(status: 304, headers: ["ETag": "\"a.1\""], body: [0x31]),
        HTTPResponse(status: 204),
        HTTPResponse(status: 426, headers: ["Connection": "Upgrade", "Upgrade": "websocket"], body: [0x31, 0x32]),
    ]
    private static let moments = [HTTPMoment(784_111_777), HTTPMoment(784_111_778)]

    @Test(arguments: responses, responses)
    func `writes what each response is by itself, whatever came before it`(
        _ response: HTTPResponse, _ before: HTTPResponse
    ) {
        var memory = HTTPResponseMemory()
        for moment in Self.moments {
            for isKeepAlive in [true, false] {
                for response in [before, before, before, response, response, response, before] {
                    let bytes = memory.encoded(response, isKeepAlive: isKeepAlive, at: moment)
                    #expect(bytes == response.encoded(isKeepAlive: isKeepAlive, date: moment.field))
                }
            }
        }
    }

    @Test func `remembers a head that comes twice, until the second is over or another comes twice`() {
        var memory = HTTPResponseMemory()
        let (now, later) = (Self.moments[0], Self.moments[1])
        let (short, long, other) = (Self.responses[0], Self.responses[1], Self.responses[3])
        _ = memory.encoded(short, isKeepAlive: true, at: now)
        #expect(!memory.remembers(short, isKeepAlive: true, at: now))
        _ = memory.encoded(short, isKeepAlive: true, at: now)
        #expect(memory.remembers(short, isKeepAlive: true, at: now))
        #expect(memory.remembers(long, isKeepAlive: true, at: now))
        #expect(!memory.remembers(short, isKeepAlive: false, at: now))
        #expect(!memory.remembers(short, isKeepAlive: true, at: later))
        #expect(!memory.remembers(other, isKeepAlive: true, at: now))
        _ = memory.encoded(other, isKeepAlive: true, at: now)
        #expect(memory.remembers(short, isKeepAlive: true, at: now))
        _ = memory.encoded(other, isKeepAlive: true, at: now)
        #expect(!memory.remembers(short, isKeepAlive: true, at: now))
        #expect(memory.remembers(other, isKeepAlive: true, at: now))
    }
}
