/// The version of this program.
package enum Release {
    /// Semantic version; the newest entry of `CHANGELOG.md`.
    package static let version = "0.5.0"
}
