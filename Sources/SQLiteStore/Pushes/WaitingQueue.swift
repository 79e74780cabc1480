import Deliveries
import Push

/// The data about the queue of pushes that is read when a store opens.
struct WaitingQueue {
    /// The places of all jobs. Damage can give several jobs the same number; here is the last one.
    var places = PlacesByNumber()
    /// The places of the other jobs of such a number.
    var doubles: [QueuePlace] = []
    /// The number of waiting jobs by provider.
    var counts = PushCounts()
}
