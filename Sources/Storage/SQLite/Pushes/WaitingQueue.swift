import Push

/// What of the queue of pushes is read when a store opens.
struct WaitingQueue {
    /// Where all jobs stand. Of several with one number, which only damage can bring, the last one.
    var places = PlacesByNumber()
    /// Where the others of those stand.
    var doubles: [QueuePlace] = []
    /// How many wait of each provider.
    var counts = PushCounts()
}
