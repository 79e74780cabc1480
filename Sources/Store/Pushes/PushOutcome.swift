package import Push

/// The outcome of a push job that was handed out.
package struct PushOutcome: Sendable {
    package let job: PushJob
    package let action: PushAction
    /// The job's attempt, updated by this outcome.
    package let attempt: PushAttempt

    package init(job: PushJob, action: PushAction, attempt: PushAttempt) {
        self.job = job
        self.action = action
        self.attempt = attempt
    }
}
