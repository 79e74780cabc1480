package import Store

/// Tells a caller the result of its write.
package enum WriteReport: Sendable {
    /// A case of its own, as nearly all are such: nothing is allocated for it.
    case published(Result<[PublishOutcome], StoreError>, to: @Sendable (Result<[PublishOutcome], StoreError>) -> Void)
    case other(@Sendable () -> Void)

    package func tell() {
        switch self {
        case .published(let result, let completion): completion(result)
        case .other(let tell): tell()
        }
    }
}
