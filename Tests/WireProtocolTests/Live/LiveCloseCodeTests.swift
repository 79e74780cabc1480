import Testing

@testable import WireProtocol

struct LiveCloseCodeTests {
    @Test(arguments: LiveCloseCode.allCases)
    func `each code's hundred is its advice, and it can be sent with its reason`(_ code: LiveCloseCode) {
        switch code {
        case .badFrame, .badToken, .revoked, .unsupportedVersion: #expect(code.advice == .stop)
        case .overloaded, .rateExceeded, .tooManySessions, .internalError, .helloTimeout, .keysPending:
            #expect(code.advice == .backOff)
        case .drain, .noPong, .tokenExpired, .slow: #expect(code.advice == .comeBackNow)
        }
        #expect(CloseFrame.mayBeSent(code.rawValue))
        #expect((1...123).contains(code.reason.utf8.count))
    }

    @Test(
        arguments: [
            (4099, .stop), (4150, .backOff), (4299, .comeBackNow), (4300, .backOff), (1000, .backOff), (1006, .backOff),
            (1002, .stop), (1009, .stop), (1011, .backOff), (1012, .backOff), (3000, .backOff),
        ] as [(UInt16, LiveCloseAdvice)])
    func `codes of other versions and of the WebSocket itself have advice too`(
        _ code: UInt16, advice: LiveCloseAdvice
    ) {
        #expect(LiveCloseAdvice(closeCode: code) == advice)
    }

    @Test func `a bearer token is found among the subprotocols`() {
        #expect(LiveSubprotocol.bearerToken(in: ["belfry.v1", "bearer.a.b.c", "bearer.x"]) == "a.b.c")
        #expect(LiveSubprotocol.bearerToken(in: ["belfry.v1"]) == nil)
    }
}
