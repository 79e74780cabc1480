import Push

extension Device.Provider {
    /// Where a list has what is of this provider. An enumeration of strings hashes its strings, which takes longer than
    /// all else that a look-up is for. The bytes of a ``PushMark`` have it, too, so that each keeps its number for
    /// good.
    var place: Int {
        switch self {
        case .apns: 0
        case .fcm: 1
        case .onesignal: 2
        case .webpush: 3
        }
    }
    /// Nil for a place that no provider has.
    init?(place: Int) {
        switch place {
        case 0: self = .apns
        case 1: self = .fcm
        case 2: self = .onesignal
        case 3: self = .webpush
        default: return nil
        }
    }
}
