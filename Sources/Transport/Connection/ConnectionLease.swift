/// What a connection has until it closes: its place among those that are admitted, or that wait to be refused.
enum ConnectionLease {
    case none
    /// Free again when the object goes.
    case held(AnyObject)
    /// A place that knows no address: all that is left of an ``AdmissionLease`` of which nobody will ask more, in a
    /// word.
    case counted(Admission)

    /// The connection closes.
    func end() {
        if case .counted(let admission) = self { admission.release(nil) }
    }
}
