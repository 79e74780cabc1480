/// Why a fetch brought no usable keys, in words for the operator that quote nothing of the answer.
package struct FetchFault: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// Whether the provider answered. Its answer may mean that the keys are at another place now.
    let isAnswer: Bool

    static func answer(_ words: String) -> FetchFault { FetchFault(description: words, isAnswer: true) }
    static func noAnswer(_ words: String) -> FetchFault { FetchFault(description: words, isAnswer: false) }
}
