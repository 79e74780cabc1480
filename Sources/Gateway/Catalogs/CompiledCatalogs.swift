import Inbox
import Yams

/// Catalogs' texts, compiled each by itself and then tried together: for those who serve them, and for those who only
/// look for mistakes.
struct CompiledCatalogs {
    /// Those without a mistake of their own, with the texts that they were read from.
    private(set) var good: [(catalog: Catalog, source: LoadedCatalogs.Source)] = []
    private(set) var mistakes: [FileMistake] = []
    /// Nil if there is a mistake, or if the good ones do not go together.
    private(set) var catalogSet: CatalogSet?

    init(_ sources: [LoadedCatalogs.Source]) {
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
            let catalogSet = try CatalogSet(good.map(\.catalog))
            if mistakes.isEmpty { self.catalogSet = catalogSet }
        } catch {
            mistakes += error.issues.map(FileMistake.init)
        }
    }

    /// What was hardly meant in the good ones.
    var warnings: [FileMistake] { good.flatMap(\.catalog.warnings).map(FileMistake.init) }

    /// Whether a text is settings and no catalog, by its keys. One without any would do as settings, but was hardly
    /// meant.
    static func isSettings(_ text: String) -> Bool {
        if let keys = keys(of: text) { return !keys.isEmpty && !isCatalog(keys) }
        // No YAML: the lines that begin with a key tell as well.
        return !text.split(whereSeparator: \.isNewline).contains { line in
            line.last == ":" && isCatalog([String(line.dropLast())]) || line.hasPrefix("catalog: ")
        }
    }

    private static func isCatalog(_ keys: [String]) -> Bool {
        keys.contains { ["catalog", "events", "types"].contains($0) }
    }

    /// Nil for a text that is no YAML: its reader tells what is wrong with it.
    private static func keys(of text: String) -> [String]? {
        do {
            return try Yams.compose(yaml: text)?.mapping?.keys.compactMap(\.string) ?? []
        } catch {
            return nil
        }
    }
}
