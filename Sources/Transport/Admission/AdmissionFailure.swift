/// A refused connection.
struct AdmissionFailure: Error {
    let reason: AdmissionRefusal
    /// Held while the client waits for its answer; nil if too many wait already.
    let place: RefusedPlace?
}
