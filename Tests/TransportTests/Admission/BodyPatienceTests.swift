import Testing

@testable import Transport

@Suite struct `The patience with a body` {
    @Test func `ends after its whole time, however much has come`() {
        var patience = BodyPatience(total: .seconds(25), stall: .seconds(10))
        #expect(patience.begin() == .seconds(10))
        #expect(patience.look(receivedBytes: 1) == .seconds(10))
        #expect(patience.look(receivedBytes: 2) == .seconds(5))
        #expect(patience.look(receivedBytes: 3) == nil)
    }

    @Test func `ends where nothing has come for the shorter time`() {
        var patience = BodyPatience(total: .seconds(60), stall: .seconds(10))
        _ = patience.begin()
        #expect(patience.look(receivedBytes: 5) == .seconds(10))
        #expect(patience.look(receivedBytes: 5) == nil)
        var untouched = BodyPatience(total: .seconds(60), stall: .seconds(10))
        _ = untouched.begin()
        #expect(untouched.look(receivedBytes: 0) == nil)
    }

    @Test func `is the whole time where the shorter one is longer`() {
        var patience = BodyPatience(total: .seconds(5), stall: .seconds(10))
        #expect(patience.begin() == .seconds(5))
        #expect(patience.look(receivedBytes: 9) == nil)
    }
}
