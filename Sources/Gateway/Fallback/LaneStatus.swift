package import Inbox
package import Push

/// The state of one provider's lane.
package struct LaneStatus: Sendable {
    package let provider: Device.Provider
    package let isConfigured: Bool
    /// How many requests may be under way.
    package let window: Int
    package let underWay: Int
    /// Leased from the store and not sent yet.
    package let atHand: Int
    /// Answered, but not stored yet.
    package let settling: Int
    package let gate: LaneGate.State
    /// When the provider last judged a push, whatever the verdict.
    package let lastJudged: Timestamp?
    /// The last reason why a push got no answer.
    package let lastFailure: FailureLog.Failure?
    /// By reason.
    package let refusals: [String: RefusalLog.Entry]
}
