import Foundation

/// A path to catalogs: a file, or a folder of files.
enum CatalogPath {
    /// The catalogs' files: each path to a file, and in a folder every file that ends in `.yaml` or `.yml`, by name.
    /// Names with a leading dot belong to editors.
    ///
    /// A path without a file is returned, too: reading it then reports the problem.
    static func files(at paths: [String]) -> [String] {
        var seen: Set<String> = []
        return paths.flatMap(files(at:)).filter { seen.insert(URL(fileURLWithPath: $0).standardized.path).inserted }
    }

    private static func files(at path: String) -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue,
            let names = try? FileManager.default.contentsOfDirectory(atPath: path)
        else { return [path] }
        let catalogs = names.filter { !$0.hasPrefix(".") && ($0.hasSuffix(".yaml") || $0.hasSuffix(".yml")) }
        return catalogs.sorted().map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
    }
}
