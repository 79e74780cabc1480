/// One of the few places for refused connections. The place is freed with this object.
final class RefusedPlace: Sendable {
    private let admission: Admission

    /// - Returns: nil when all are taken.
    init?(_ admission: Admission) {
        guard admission.takeRefusedPlace() else { return nil }
        self.admission = admission
    }

    deinit { admission.freeRefusedPlace() }
}
