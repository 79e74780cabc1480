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

    /// The report for a publisher of one app: its catalogs and their files, and of all others only that some were refused.
    ///
    /// - Parameters:
    ///   - names: of the app's catalogs, the earlier ones too.
    ///   - files: where these lie.
    func limited(to names: Set<String>, in files: Set<String>) -> ReloadReport {
        var report = ReloadReport()
        report.catalogs = catalogs.filter(names.contains)
        report.changed = changed.filter(names.contains)
        report.removed = removed.filter(names.contains)
        report.warnings = warnings.filter { files.contains($0.file) }
        report.mistakes = mistakes.filter { files.contains($0.file) }
        if report.mistakes.count < mistakes.count {
            report.mistakes.append(
                FileMistake(file: "other files", message: "some were refused, and the server's log names them"))
        }
        return report
    }
}
