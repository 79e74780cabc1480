/// Chooses the collapse ids that one push can withdraw.
package enum WithdrawnIDs {
    /// The newest ids, as many as fit into a push that shows nothing.
    /// - Parameter ids: the newest come last.
    package static func fitting(_ ids: [String], to provider: Device.Provider) -> [String] {
        guard let silence = provider.silence else { return [] }
        var room = silence.bytesForIDs
        let fitting = ids.reversed().prefix { id in
            room -= id.utf8.count + silence.bytesAroundID
            return room >= 0
        }
        return fitting.reversed()
    }
}
