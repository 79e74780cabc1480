import Store
import Testing
import WireProtocol

@testable import Gateway

struct RefusedRecoveryTests {
    @Test(arguments: [
        (StoreError.overloaded, LiveCloseCode.overloaded), (.closed, .drain),
        (.diskFull, .overloaded), (.failed(code: 10, message: "disk I/O error"), .internalError),
    ])
    func `a session whose inbox cannot be read is told what to do`(_ error: StoreError, _ code: LiveCloseCode) {
        #expect(error.closeCode == code)
    }

    @Test func `a client that comes while the store has too much to do backs off and comes back`() {
        #expect(StoreError.overloaded.closeCode.advice == .backOff)
    }
}
