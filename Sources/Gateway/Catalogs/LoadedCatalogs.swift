package import Inbox

/// The catalogs that a node serves, with their texts.
package struct LoadedCatalogs: Sendable {
    package struct Source: Sendable, Hashable {
        package let file: String
        /// As YAML.
        package let text: String

        package init(file: String, text: String) {
            self.file = file
            self.text = text
        }
    }

    package let byApp: AppCatalogs
    /// The source of each catalog in ``byApp``, in the same order.
    package let sources: [Source]

    /// Probable mistakes that break nothing.
    package let warnings: [FileMistake]

    /// Compiles all catalogs, or none.
    ///
    /// - Parameter apps: the named ones.
    /// - Throws: ``FileMistakes`` with every mistake of every file, and the reasons why good ones do not go together.
    package init(_ sources: [Source], apps: [AppName] = []) throws(FileMistakes) {
        try self.init(sources, apps: apps, unreadable: [])
    }

    private init(_ sources: [Source], apps: [AppName], unreadable: [FileMistake]) throws(FileMistakes) {
        let compiled = CompiledCatalogs(sources, apps: apps)
        guard let byApp = compiled.byApp, unreadable.isEmpty else {
            throw FileMistakes(mistakes: unreadable + compiled.mistakes)
        }
        (self.byApp, self.sources) = (byApp, sources)
        warnings = compiled.warnings
    }

    /// Reads all catalogs, or none. Blocks while it reads.
    ///
    /// - Parameters:
    ///   - paths: files, and folders whose `*.yaml` files are catalogs.
    ///   - apps: the named ones.
    package static func read(_ paths: [String], apps: [AppName] = []) throws(FileMistakes) -> LoadedCatalogs {
        var sources: [Source] = []
        var unreadable: [FileMistake] = []
        for file in CatalogPath.files(at: paths) {
            do {
                sources.append(Source(file: file, text: try TextFile.read(file)))
            } catch {
                unreadable.append(FileMistake(file: file, message: "cannot be read: \(error)"))
            }
        }
        // Most likely the folder is wrong, or about to be filled: serving no catalog at all is never meant.
        if let path = paths.first, sources.isEmpty, unreadable.isEmpty {
            unreadable.append(FileMistake(file: path, message: "no catalog in this folder; expected a .yaml file"))
        }
        return try LoadedCatalogs(sources, apps: apps, unreadable: unreadable)
    }

    /// The catalogs' names, sorted.
    package var names: [String] { byApp.catalogs.map(\.name).sorted() }

    /// The sorted names of catalogs that are new or differ from those in `earlier`.
    package func changed(since earlier: LoadedCatalogs) -> [String] {
        let known = earlier.textsByName
        return textsByName.filter { known[$0.key] != $0.value }.keys.sorted()
    }

    private var textsByName: [String: String] {
        Dictionary(zip(byApp.catalogs, sources).map { ($0.name, $1.text) }) { first, _ in first }
    }
}
