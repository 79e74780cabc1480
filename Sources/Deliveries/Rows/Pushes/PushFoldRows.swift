package import Inbox
package import Push

/// Several jobs that leave as one push.
package protocol PushFoldRows: AnyObject {
    /// The parts that may leave as one at `now`, in the order of the notifications.
    /// - Parameter withShown: whether parts that are on the screen already are included.
    func foldable(
        device: Int64, _ provider: Device.Provider, key: String, at now: Timestamp, withShown: Bool
    ) throws -> [FoldPart]
    /// The remaining parts of a fold that was handed out before.
    func parts(device: Int64, key: String, fold: Int64) throws -> [FoldPart]

    /// Makes a job part of a fold for good.
    /// - Parameters:
    ///   - collapse: the fold's collapse id.
    ///   - shownAs: the collapse id under which an earlier push of the job is on the screen.
    func pin(_ place: PushTurns.Place, to fold: Int64, collapse: String, shownAs: String?) throws
}
