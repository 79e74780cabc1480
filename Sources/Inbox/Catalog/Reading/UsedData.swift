/// Notes the values that a type's texts use, while the texts are compiled.
final class UsedData {
    /// The paths into the event's data whose values are shown.
    private(set) var paths: Set<[String]> = []
    /// By a list's path: the used paths within its elements, for lists that are not used whole.
    private(set) var elements: [[String]: Set<[String]>] = [:]
    /// The names of placeholders that the type derives.
    private(set) var derived: Set<String> = []

    /// The names of used members at the top of the data.
    var members: Set<String> { Set(paths.union(elements.keys).compactMap(\.first)) }

    /// - Parameter elements: the used paths within a list's elements; nil for the whole value.
    func note(_ path: [String], elements used: [[String]]?) {
        if let used { elements[path, default: []].formUnion(used) } else { paths.insert(path) }
    }

    func note(derived name: String) { derived.insert(name) }
}
