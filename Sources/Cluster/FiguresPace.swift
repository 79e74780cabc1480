import Store

/// When the database's figures are read, and how long they are shown. A pure machine.
struct FiguresPace: Sendable {
    /// From the beginning of one reading to the next.
    static let interval = Duration.seconds(15)
    /// Older figures tell nothing of this moment.
    static let lifetime = Duration.seconds(60)

    private var isReading = false
    private var next: ContinuousClock.Instant?
    private var found: (figures: DatabaseFigures, at: ContinuousClock.Instant)?

    /// Begins a reading, if it is time for one; ``ended(_:at:)`` ends it.
    mutating func begins(at now: ContinuousClock.Instant) -> Bool {
        guard !isReading, next.map({ $0 <= now }) ?? true else { return false }
        (isReading, next) = (true, now + Self.interval)
        return true
    }

    /// - Parameter figures: nil if they could not be read: then the last ones go on for a while.
    mutating func ended(_ figures: DatabaseFigures?, at now: ContinuousClock.Instant) {
        isReading = false
        if let figures { found = (figures, now) }
    }

    func figures(at now: ContinuousClock.Instant) -> DatabaseFigures? {
        found.flatMap { now - $0.at < Self.lifetime ? $0.figures : nil }
    }
}
