import Foundation
import Inbox
import Yams

/// Looks for mistakes in files that operators write: configurations and catalogs, told apart by their top-level keys.
package struct FileCheck {
    /// One file and what is wrong with it; nothing for a good one.
    package struct Report: Sendable, Hashable {
        package let file: String
        package internal(set) var problems: [String]
    }

    package private(set) var reports: [Report] = []
    private var catalogs: [Catalog] = []

    /// Checks each file, and then whether its catalogs go together.
    package init(files: [String]) {
        for file in files { reports.append(Report(file: file, problems: problems(in: file))) }
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

    private mutating func problems(in file: String) -> [String] {
        let text: String
        do {
            text = try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
        } catch {
            return ["\(file): cannot be read: \(FileFailure(error))"]
        }
        return Self.isCatalog(text) ? problems(inCatalog: text, file) : Self.problems(inSettings: text, file)
    }

    /// A text that is no YAML counts as settings: either reader tells what is wrong with it.
    private static func isCatalog(_ text: String) -> Bool {
        guard let keys = (try? Yams.compose(yaml: text))?.mapping?.keys.compactMap(\.string) else { return false }
        return !keys.filter(["catalog", "events", "types"].contains).isEmpty
    }

    private mutating func problems(inCatalog text: String, _ file: String) -> [String] {
        do {
            catalogs.append(try Catalog(yaml: text, file: file))
            return []
        } catch {
            return error.issues.map(\.description)
        }
    }

    private static func problems(inSettings text: String, _ file: String) -> [String] {
        var reader = SettingsReader()
        reader.read(yaml: text, file: file)
        do {
            _ = try reader.finish()
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }
}
