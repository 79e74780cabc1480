import Testing

extension Trait where Self == TimeLimitTrait {
    /// For tests that would wait forever if they failed.
    ///
    /// Far longer than any of them takes by itself: all tests take turns on the few threads of Swift's pool, so the
    /// clock of one that waits runs for the others, too, on a busy machine or under a sanitizer for minutes.
    static var mayNotHang: Self { .timeLimit(.minutes(15)) }
}
