import Inbox
import Yams

/// Catalogs' texts, compiled one by one and then combined: to serve them, or only to find mistakes.
struct CompiledCatalogs {
    /// The catalogs without a mistake of their own, each with its text.
    private(set) var good: [(catalog: Catalog, source: LoadedCatalogs.Source)] = []
    private(set) var mistakes: [FileMistake] = []
    /// Nil if there is a mistake, or if the good ones do not go together.
    private(set) var byApp: AppCatalogs?

    /// - Parameter apps: the named ones.
    init(_ sources: [LoadedCatalogs.Source], apps: [AppName]) {
        for source in sources {
            if let keys = Self.keys(of: source.text), !keys.isEmpty, !Self.isCatalog(keys) {
                let message = "not a catalog: it has none of \"catalog\", \"events\" and \"types\""
                mistakes.append(FileMistake(file: source.file, message: message))
                continue
            }
            do {
                good.append((try Catalog(yaml: source.text, file: source.file), source))
            } catch {
                mistakes += error.issues.map(FileMistake.init)
            }
        }
        do {
            let byApp = try AppCatalogs(good.map(\.catalog), apps: apps)
            if mistakes.isEmpty { self.byApp = byApp }
        } catch {
            mistakes += error.issues.map(FileMistake.init)
        }
    }

    /// Probable mistakes in the good ones.
    var warnings: [FileMistake] { good.flatMap(\.catalog.warnings).map(FileMistake.init) }

    /// Whether a text is settings and not a catalog, by its keys. A text without keys would do as settings, but was
    /// hardly meant so.
    static func isSettings(_ text: String) -> Bool {
        if let keys = keys(of: text) { return !keys.isEmpty && !isCatalog(keys) }
        // The text is not YAML: lines that begin with a key help, too.
        return !text.split(whereSeparator: \.isNewline).contains { line in
            line.last == ":" && isCatalog([String(line.dropLast())]) || line.hasPrefix("catalog: ")
        }
    }

    private static func isCatalog(_ keys: [String]) -> Bool {
        keys.contains { ["catalog", "events", "types"].contains($0) }
    }

    /// Nil for a text that is not YAML: its reader reports the problem.
    private static func keys(of text: String) -> [String]? {
        do {
            return try Yams.compose(yaml: text)?.mapping?.keys.compactMap(\.string) ?? []
        } catch {
            return nil
        }
    }
}
