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
    /// - Parameter paths: files, and folders whose `*.yaml` files are catalogs.
    package init(paths: [String]) {
        // Most likely the folder is wrong, or about to be filled: checking no file at all is never meant.
        for path in paths where CatalogPath.files(at: [path]).isEmpty {
            reports.append(Report(file: path, problems: ["\(path): no file in this folder; expected a .yaml file"]))
        }
        var sources: [LoadedCatalogs.Source] = []
        // As a server with these settings has them.
        var apps: [AppName] = []
        for file in CatalogPath.files(at: paths) {
            var report = Report(file: file, problems: [])
            do {
                let text = try TextFile.read(file)
                // A folder of catalogs contains nothing else.
                if paths.contains(file), CompiledCatalogs.isSettings(text) {
                    report.problems = Self.problems(inSettings: text, file, &apps)
                } else {
                    sources.append(.init(file: file, text: text))
                }
            } catch {
                report.problems = ["\(file): cannot be read: \(error)"]
            }
            reports.append(report)
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

    private static func problems(inSettings text: String, _ file: String, _ apps: inout [AppName]) -> [String] {
        var reader = SettingsReader()
        reader.read(yaml: text, file: file)
        apps += reader.settings.namedApps
        do {
            let settings = try reader.finish()
            do {
                _ = try settings.usableSocketPath()
            } catch {
                return ["\(file): \(error.key): \(error.reason)"]
            }
            do {
                // Reads certificates and secrets, as the start does.
                _ = try PublishingEdge(settings, beside: Edge(settings))
                _ = try WebhookEndpoint.all(of: settings)
                return []
            } catch {
                return ["\(file): \(error)"]
            }
        } catch {
            return error.problems.map(\.description)
        }
    }
}
