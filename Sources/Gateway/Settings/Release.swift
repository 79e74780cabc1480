/// Which Belfry this is.
package enum Release {
    /// Semantic version; the newest entry of `CHANGELOG.md`.
    package static let version = "0.5.0"
}
