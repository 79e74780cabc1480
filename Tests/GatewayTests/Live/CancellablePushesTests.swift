import Testing

@testable import Gateway

struct CancellablePushesTests {
    private func acknowledged() -> CancellablePushes {
        var pushes = CancellablePushes()
        _ = pushes.acknowledge(upTo: 5, told: 5, isBehind: false)
        return pushes
    }

    @Test func `the first acknowledgement reaches the store: nobody knows what waits from before`() {
        var pushes = CancellablePushes()
        #expect(pushes.acknowledge(upTo: 5, told: 5, isBehind: false) == 5)
        #expect(pushes.acknowledge(upTo: 5, told: 5, isBehind: false) == nil)
    }

    @Test func `a notification without a push needs no acknowledgement`() {
        var pushes = acknowledged()
        pushes.committed(mayBePushed: false)
        #expect(pushes.acknowledge(upTo: 6, told: 6, isBehind: false) == nil)
    }

    @Test func `notifications with pushes are acknowledged until all are, also when later ones have none`() {
        var pushes = acknowledged()
        pushes.committed(mayBePushed: true)
        pushes.committed(mayBePushed: false)
        #expect(pushes.acknowledge(upTo: 6, told: 7, isBehind: false) == 6)
        #expect(pushes.acknowledge(upTo: 7, told: 7, isBehind: false) == 7)
        #expect(pushes.acknowledge(upTo: 7, told: 7, isBehind: false) == nil)
    }

    @Test func `nobody has seen what they were not told of`() {
        var pushes = CancellablePushes()
        #expect(pushes.acknowledge(upTo: 99, told: 5, isBehind: false) == 5)
    }

    @Test func `a reader who is behind goes on acknowledging: left out notifications may be pushed, too`() {
        var pushes = acknowledged()
        pushes.committed(mayBePushed: true)
        #expect(pushes.acknowledge(upTo: 5, told: 5, isBehind: true) == 5)
        // The gap has told of it by now.
        #expect(pushes.acknowledge(upTo: 9, told: 9, isBehind: false) == 9)
        #expect(pushes.acknowledge(upTo: 9, told: 9, isBehind: false) == nil)
    }

    @Test func `an acknowledgement that could not be written is given anew`() {
        var pushes = acknowledged()
        pushes.failed()
        #expect(pushes.acknowledge(upTo: 5, told: 5, isBehind: false) == 5)
    }
}
