/// The result of reading a running server's files again.
package struct ReloadReport: Sendable, Hashable {
    /// The names of the current catalogs, sorted.
    package var catalogs: [String] = []
    /// The current catalogs that are new or have changed.
    package var changed: [String] = []
    /// The earlier catalogs that are gone.
    package var removed: [String] = []
    /// Probable mistakes in the current catalogs that break nothing.
    package var warnings: [FileMistake] = []
    /// The refused files, with reasons. A refused file replaces nothing: one wrong catalog keeps all earlier catalogs,
    /// while certificate and keys are judged separately.
    package var mistakes: [FileMistake] = []

    package init() {}
}
