package import Push

/// What became of a push job that was handed out.
package struct PushOutcome: Sendable {
    package let job: PushJob
    package let action: PushAction
    /// The job's attempt with what this one added.
    package let attempt: PushAttempt

    package init(job: PushJob, action: PushAction, attempt: PushAttempt) {
        self.job = job
        self.action = action
        self.attempt = attempt
    }
}
