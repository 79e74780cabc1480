/// What became of the files that a running server read again.
package struct ReloadReport: Sendable, Hashable {
    /// The names of the catalogs that hold now, sorted.
    package var catalogs: [String] = []
    /// Those of them that are new or read otherwise than before.
    package var changed: [String] = []
    /// Those that held before and are gone.
    package var removed: [String] = []
    /// What was hardly meant in the catalogs that hold now, and keeps nothing from working.
    package var warnings: [FileMistake] = []
    /// What was refused, and why. Nothing refused has replaced what holds: of the catalogs no one is replaced if one is
    /// wrong; certificate and keys are judged each for itself.
    package var mistakes: [FileMistake] = []

    package init() {}
}
