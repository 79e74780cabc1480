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
    /// - Parameters:
    ///   - paths: files, and folders whose `*.yaml` files are catalogs.
    ///   - readsNamed: whether what settings among them name is read, too.
    package init(paths: [String], readsNamed: Bool = true) async {
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
                    apps += await report.check(settings: text, readsNamed: readsNamed).namedApps
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
        // Settings may name the same catalogs.
        var told = Set(reports.flatMap { $0.problems + $0.warnings })
        for index in reports.indices {
            func new(_ mistakes: [FileMistake]) -> [String] {
                mistakes.filter { $0.file == reports[index].file }.map(\.description).filter {
                    told.insert($0).inserted
                }
            }
            let (problems, warnings) = (new(compiled.mistakes), new(compiled.warnings))
            reports[index].problems += problems
            reports[index].warnings += warnings
            let catalog = compiled.good.first { $0.source.file == reports[index].file }?.catalog
            reports[index].summary = catalog.map(Self.summary)
        }
    }

    private static func summary(of catalog: Catalog) -> String {
        let languages = catalog.languages.isEmpty ? "no translations" : catalog.languages.joined(separator: ", ")
        return "\(catalog.name), events: \(catalog.eventTypes.count), types: \(catalog.typeNames.count), \(languages)"
    }
}

extension FileCheck.Report {
    /// - Returns: the settings, as far as they are good.
    fileprivate mutating func check(settings text: String, readsNamed: Bool) async -> Settings {
        var reader = SettingsReader()
        reader.read(yaml: text, file: file)
        do {
            let settings = try reader.finish()
            do {
                _ = try settings.usableSocketPath()
            } catch {
                problems.append("\(file): \(error.key): \(error.reason)")
            }
            if readsNamed {
                let files = await SettingsFiles(of: settings)
                problems += files.problems.map { "\(file): \($0)" }
                warnings += files.warnings.map { "\(file): \($0)" }
            }
        } catch {
            problems += error.problems.map(\.description)
        }
        if readsNamed { readCatalogs(of: reader.settings) }
        return reader.settings
    }

    /// As a server with these settings alone reads them.
    private mutating func readCatalogs(of settings: Settings) {
        do throws(FileMistakes) {
            warnings += try LoadedCatalogs.read(settings.catalogs, apps: settings.namedApps).warnings.map(\.description)
        } catch {
            problems += error.mistakes.map(\.description)
        }
    }
}
