/// Which of many collapse ids one push can withdraw.
package enum WithdrawnIDs {
    /// The newest of them, as many as a push has room for that shows nothing.
    /// - Parameter ids: the newest come last.
    package static func fitting(_ ids: [String], to provider: Device.Provider) -> [String] {
        var room = room(of: provider)
        let fitting = ids.reversed().prefix { id in
            room -= id.utf8.count + quotes(of: provider)
            return room >= 0
        }
        return fitting.reversed()
    }

    /// The bytes that a payload has for them. The rest is for what else stands in it, which is short: the badge, and
    /// the inbox's epoch and position.
    private static func room(of provider: Device.Provider) -> Int {
        switch provider {
        case .apns: 3_584  // of 4,096
        case .fcm: 3_072  // of 4,096, and more than these stands around them
        case .onesignal: 1_536  // of the 2,048 for data
        case .webpush: 0  // a browser demands that each push shows something
        }
    }

    /// Two quotes and a comma; in FCM's data, which are strings, each quote has a backslash.
    private static func quotes(of provider: Device.Provider) -> Int { provider == .fcm ? 5 : 3 }
}
