/// The reason why a store could not do what was asked.
package enum StoreError: Error, Sendable, Hashable {
    /// The key was used before for another event; with the entry's index in the publication.
    case keyReused(index: Int)
    /// More writes wait than the store takes in: try again shortly.
    case overloaded
    case closed
    /// The store takes in no more devices. Nothing was changed; there is room again once others have gone.
    case tooManyDevices
    /// There is no room left on the disk. Nothing was changed, and the store goes on once there is room.
    case diskFull
    /// The database is on another machine, and cannot be reached or takes no writes at the moment. A write may have been
    /// stored if only its answer was lost. With the database's own words, without any content.
    case unreachable(String)
    /// The database's file is damaged. Its readable parts can be read, but nothing is written any more.
    case damaged
    /// The database's own code and message, without any content. The code is 0 if its codes are no numbers.
    case failed(code: Int, message: String)
}
