package import Store

/// One row of an event: its first page's or a later one's. Every page tells about the event.
package struct TrailRow {
    package let event: TrailedEvent
    package let verdicts: TrailVerdicts
    /// How many bytes its verdicts take.
    package let size: Int

    package init(event: TrailedEvent, verdicts: TrailVerdicts, size: Int) {
        (self.event, self.verdicts, self.size) = (event, verdicts, size)
    }
}
