import WireProtocol

/// An admitted connection's place in the counts. The place is freed with this object. Used on the connection's shard.
final class AdmissionLease {
    private let admission: Admission
    private var address: IPAddress?
    private var isHandedOver = false

    init(_ admission: Admission, _ address: IPAddress?) {
        self.admission = admission
        self.address = address
    }

    deinit { if !isHandedOver { admission.release(address) } }

    /// Takes the address of the client, after a proxy has told it for the connection or for the next request.
    ///
    /// - Returns: the reason against that client; then the lease counts as before.
    func identify(as address: IPAddress?) -> AdmissionRefusal? {
        if let reason = admission.identify(self.address, as: address) { return reason }
        self.address = address
        return nil
    }

    /// Moves the place to a connection whose client will no longer change. This object is then needed only if addresses
    /// are counted.
    func settled() -> ConnectionLease {
        guard !isHandedOver, !admission.countsAddresses else { return .held(self) }
        isHandedOver = true
        return .counted(admission)
    }
}
