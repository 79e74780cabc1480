import Gateway
import Inbox

/// The catalogs that a server is started with.
enum CatalogFiles {
    /// Reads all of them.
    ///
    /// - Throws: ``CatalogError`` with every mistake of the first file that has any.
    static func load(_ paths: [String]) throws -> CatalogSet {
        try CatalogSet(paths.map { try Catalog(yaml: TextFile.read($0), file: $0) })
    }
}
