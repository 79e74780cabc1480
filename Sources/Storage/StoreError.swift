/// Why a store could not do what was asked.
package enum StoreError: Error, Sendable, Hashable {
    /// The key was used before for another event; carries the entry's index in the publication.
    case keyReused(index: Int)
    /// More writes wait than the store takes in: try again shortly.
    case overloaded
    case closed
    /// No more devices are taken in. Nothing was changed, and there is room again once others have gone.
    case tooManyDevices
    /// There is no room left on the disk. Nothing was changed, and the store goes on once there is room.
    case diskFull
    /// The database's file is damaged. What can be read of it is read; nothing is written any more.
    case damaged
    /// The database's own words, without any content: code and message.
    case failed(code: Int, message: String)
}
