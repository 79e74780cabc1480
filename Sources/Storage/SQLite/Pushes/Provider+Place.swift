import Push

extension Device.Provider {
    /// Where a list has what is of this provider. An enumeration of strings hashes its strings, which takes longer than all
    /// else that a look-up is for.
    var place: Int {
        switch self {
        case .apns: 0
        case .fcm: 1
        case .onesignal: 2
        case .webpush: 3
        }
    }
}
