import Foundation
import Inbox
import Yams

/// Looks for mistakes in files that operators write: configurations and catalogs, told apart by their top-level keys.
package struct FileCheck {
    /// One file, and what is wrong with it or what is in it.
    package struct Report: Sendable, Hashable {
        package let file: String
        package internal(set) var problems: [String]
        /// Of a catalog without mistakes: how much it describes.
        package internal(set) var summary: String?
    }

    package private(set) var reports: [Report] = []
    private var catalogs: [Catalog] = []

    /// Checks each file, and then whether the catalogs go together.
    ///
    /// - Parameter paths: files, and folders whose `*.yaml` files are checked.
    package init(paths: [String]) {
        // Most likely a folder that is about to be filled, or a wrong one: to check nothing at all is never meant.
        for path in paths where CatalogPath.files(at: [path]).isEmpty {
            reports.append(Report(file: path, problems: ["\(path): no file in this folder; expected a .yaml file"]))
        }
        for file in CatalogPath.files(at: paths) { reports.append(report(on: file)) }
        do {
            _ = try CatalogSet(catalogs)
        } catch {
            for issue in error.issues {
                for index in reports.indices where reports[index].file == issue.file {
                    reports[index].problems.append(issue.description)
                }
            }
        }
    }

    private mutating func report(on file: String) -> Report {
        let text: String
        do {
            text = try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
        } catch {
            return Report(file: file, problems: ["\(file): cannot be read: \(FileFailure(error))"])
        }
        guard Self.isCatalog(text) else { return Report(file: file, problems: Self.problems(inSettings: text, file)) }
        do {
            let catalog = try Catalog(yaml: text, file: file)
            catalogs.append(catalog)
            return Report(file: file, problems: [], summary: Self.summary(of: catalog))
        } catch {
            return Report(file: file, problems: error.issues.map(\.description))
        }
    }

    /// A text that is no YAML counts as settings: either reader tells what is wrong with it.
    private static func isCatalog(_ text: String) -> Bool {
        guard let keys = (try? Yams.compose(yaml: text))?.mapping?.keys.compactMap(\.string) else { return false }
        return !keys.filter(["catalog", "events", "types"].contains).isEmpty
    }

    private static func summary(of catalog: Catalog) -> String {
        let languages = catalog.languages.isEmpty ? "no translations" : catalog.languages.joined(separator: ", ")
        return "\(catalog.name), events: \(catalog.eventTypes.count), types: \(catalog.typeNames.count), \(languages)"
    }

    private static func problems(inSettings text: String, _ file: String) -> [String] {
        var reader = SettingsReader()
        reader.read(yaml: text, file: file)
        do {
            let settings = try reader.finish()
            do {
                _ = try settings.usableSocketPath()
                return []
            } catch {
                return ["\(file): \(error.key): \(error.reason)"]
            }
        } catch {
            return error.problems.map(\.description)
        }
    }
}
