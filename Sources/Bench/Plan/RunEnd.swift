/// How everything stood when a run's measurement was over.
struct RunEnd {
    /// By ``BenchClock``.
    var time: Int64
    var counts = SessionCounts()
    var tally = SessionTally()
    var publications: [PublishTally] = []
    var pushes: PushCounter.Counts?
    var server: ServerProcess.Reading?
    /// CPU of this process since the measurement began.
    var toolSeconds = 0.0
}
