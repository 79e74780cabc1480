import WireProtocol

/// An admitted connection's place in the counts, free again when this object goes. Used on the connection's shard.
final class AdmissionLease {
    private let admission: Admission
    private var address: IPAddress?
    private var isHandedOver = false

    init(_ admission: Admission, _ address: IPAddress?) {
        self.admission = admission
        self.address = address
    }

    deinit { if !isHandedOver { admission.release(address) } }

    /// A proxy has told whose connection it is, or whose request comes next.
    ///
    /// - Returns: why that client may not have it; then it counts as before.
    func identify(as address: IPAddress?) -> AdmissionRefusal? {
        if let reason = admission.identify(self.address, as: address) { return reason }
        self.address = address
        return nil
    }

    /// Leaves the place to a connection whose client will not change any more: then this object is not needed, unless
    /// the address counts.
    func settled() -> ConnectionLease {
        guard !isHandedOver, !admission.countsAddresses else { return .held(self) }
        isHandedOver = true
        return .counted(admission)
    }
}
