/// A connection's place until it closes, among the admitted ones or among those that wait to be refused.
enum ConnectionLease {
    case none
    /// Freed with the object.
    case held(AnyObject)
    /// A place without an address: the rest of an ``AdmissionLease`` that is no longer needed, in one word.
    case counted(Admission)

    /// The connection closes.
    func end() {
        if case .counted(let admission) = self { admission.release(nil) }
    }
}
