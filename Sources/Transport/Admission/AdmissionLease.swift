import WireProtocol

/// An admitted connection's place in the counts, free again when this object goes. Used on the connection's shard.
final class AdmissionLease {
    private let admission: Admission
    private var address: IPAddress?

    init(_ admission: Admission, _ address: IPAddress?) {
        self.admission = admission
        self.address = address
    }

    deinit { admission.release(address) }

    /// A proxy has told whose connection it is, or whose request comes next.
    ///
    /// - Returns: why that client may not have it; then it counts as before.
    func identify(as address: IPAddress?) -> AdmissionRefusal? {
        if let reason = admission.identify(self.address, as: address) { return reason }
        self.address = address
        return nil
    }
}
