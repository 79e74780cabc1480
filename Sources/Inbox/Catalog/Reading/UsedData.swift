/// Notes what a type's texts use, while they are compiled.
final class UsedData {
    /// The paths into the event's data whose values are shown.
    private(set) var paths: Set<[String]> = []
    /// By a list's path: what of its elements is used, where that is not all of them.
    private(set) var elements: [[String]: Set<[String]>] = [:]
    /// The names of placeholders that the type makes itself.
    private(set) var derived: Set<String> = []

    /// The names of members at the top of the data.
    var members: Set<String> { Set(paths.union(elements.keys).compactMap(\.first)) }

    /// - Parameter elements: the paths of what is used of a list's elements; nil for the value as a whole.
    func note(_ path: [String], elements used: [[String]]?) {
        if let used { elements[path, default: []].formUnion(used) } else { paths.insert(path) }
    }

    func note(derived name: String) { derived.insert(name) }
}
