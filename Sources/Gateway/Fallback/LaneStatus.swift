package import Inbox
package import Push

/// How one provider's lane stands.
package struct LaneStatus: Sendable {
    package let provider: Device.Provider
    package let isConfigured: Bool
    /// How many requests may be under way.
    package let window: Int
    package let underWay: Int
    /// Handed out by the store and not sent yet.
    package let atHand: Int
    /// Answered, and not stored yet.
    package let settling: Int
    package let gate: LaneGate.State
    /// When the provider last judged a push, whatever the verdict.
    package let lastJudged: Timestamp?
    /// What last kept a push from getting any answer.
    package let lastFailure: FailureLog.Failure?
    /// By reason.
    package let refusals: [String: RefusalLog.Entry]
}
