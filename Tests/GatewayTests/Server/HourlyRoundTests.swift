import Dispatch
import Support
import Testing

@testable import Gateway

struct HourlyRoundTests {
    @Test func `a duty comes round for the first time after its delay`() {
        let came = DispatchSemaphore(value: 0)
        let round = HourlyRound(label: "belfry.tests.round")
        round.start(after: .milliseconds(1)) { came.signal() }
        #expect(came.wait(timeout: .now() + .seconds(Int(Duration.patience.components.seconds))) == .success)
        round.stop()
    }
}
