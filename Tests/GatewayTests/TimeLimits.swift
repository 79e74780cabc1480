import Testing

extension Trait where Self == TimeLimitTrait {
    /// For tests that would wait forever if they failed.
    ///
    /// The limit is far longer than any of these tests takes by itself. All tests take turns on the few threads of
    /// Swift's pool, so a waiting test's clock also runs while others work. On a busy machine or under a sanitizer that
    /// can be minutes.
    static var mayNotHang: Self { .timeLimit(.minutes(15)) }
}
