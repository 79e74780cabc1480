import Testing

extension Trait where Self == TimeLimitTrait {
    /// For tests that would wait forever if they failed. Far longer than any of them takes by itself, as the clock of
    /// one that waits runs for all the others on a busy machine.
    static var mayNotHang: Self { .timeLimit(.minutes(15)) }
}
