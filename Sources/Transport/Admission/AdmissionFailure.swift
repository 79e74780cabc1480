/// A connection that is not admitted.
struct AdmissionFailure: Error {
    let reason: AdmissionRefusal
    /// To be held while the client waits for its answer; nil when too many wait already.
    let place: RefusedPlace?
}
