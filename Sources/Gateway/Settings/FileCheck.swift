import Inbox

/// Finds mistakes in operators' files: configurations and catalogs, distinguished by their top-level keys.
package struct FileCheck {
    /// One file, with its problems or a summary.
    package struct Report: Sendable, Hashable {
        package let file: String
        package internal(set) var problems: [String]
        /// Probable mistakes that break nothing.
        package internal(set) var warnings: [String] = []
        /// The size of a catalog without mistakes.
        package internal(set) var summary: String?
    }

    package private(set) var reports: [Report] = []

    /// Checks each file, and then whether the catalogs go together, as a server would.
    ///
    /// - Parameter paths: files, and folders whose `*.yaml` files are catalogs. The files that settings among them name
    ///   are read, too.
    package init(paths: [String]) async {
        var sources: [LoadedCatalogs.Source] = []
        // As a server with these settings has them.
        var apps: [AppName] = []
        // Grows by the catalogs that settings name.
        var paths = paths
        let named = Set(paths)
        var known: Set<String> = []
        while let path = paths.first {
            paths.removeFirst()
            let files = CatalogPath.files(at: [path])
            // Most likely the folder is wrong, or about to be filled: checking no file at all is never meant.
            if files.isEmpty {
                reports.append(Report(file: path, problems: ["\(path): no file in this folder; expected a .yaml file"]))
            }
            for file in files where known.insert(CatalogPath.identity(of: file)).inserted {
                var report = Report(file: file, problems: [])
                do {
                    let text = try TextFile.read(file)
                    // A folder of catalogs contains nothing else.
                    if named.contains(file), CompiledCatalogs.isSettings(text) {
                        let settings = await Self.check(settings: text, &report)
                        apps += settings.namedApps
                        paths += settings.catalogs
                    } else {
                        sources.append(.init(file: file, text: text))
                    }
                } catch {
                    report.problems = ["\(file): cannot be read: \(error)"]
                }
                reports.append(report)
            }
        }
        add(CompiledCatalogs(sources, apps: apps))
    }

    private mutating func add(_ compiled: CompiledCatalogs) {
        for index in reports.indices {
            let file = reports[index].file
            reports[index].problems += compiled.mistakes.filter { $0.file == file }.map(\.description)
            reports[index].warnings += compiled.warnings.filter { $0.file == file }.map(\.description)
            reports[index].summary = compiled.good.first { $0.source.file == file }.map { Self.summary(of: $0.catalog) }
        }
    }

    private static func summary(of catalog: Catalog) -> String {
        let languages = catalog.languages.isEmpty ? "no translations" : catalog.languages.joined(separator: ", ")
        return "\(catalog.name), events: \(catalog.eventTypes.count), types: \(catalog.typeNames.count), \(languages)"
    }

    /// - Returns: the settings, as far as they are good.
    private static func check(settings text: String, _ report: inout Report) async -> Settings {
        let file = report.file
        var reader = SettingsReader()
        reader.read(yaml: text, file: file)
        do {
            let settings = try reader.finish()
            do {
                _ = try settings.usableSocketPath()
            } catch {
                report.problems = ["\(file): \(error.key): \(error.reason)"]
            }
            let files = await SettingsFiles(of: settings)
            report.problems += files.problems.map { "\(file): \($0)" }
            report.warnings += files.warnings.map { "\(file): \($0)" }
        } catch {
            report.problems = error.problems.map(\.description)
        }
        return reader.settings
    }
}
