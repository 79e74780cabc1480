extension Duration {
    /// How long a test waits for what comes at once unless the machine is busy with something else: who waits as long
    /// has failed. A busy one of two cores needs half a minute now and then.
    package static var patience: Duration { .seconds(120) }
}
