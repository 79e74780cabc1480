/// The figures at the end of a run's measurement.
struct RunEnd {
    /// By ``BenchClock``.
    var time: Int64
    var counts = SessionCounts()
    var tally = SessionTally()
    var publications: [PublishTally] = []
    var pushes: PushCounter.Counts?
    var server: ServerProcess.Reading?
    /// CPU seconds of this process since the measurement began.
    var toolSeconds = 0.0
}
