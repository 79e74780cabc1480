/// The placeholders that a template may use, and their meaning there.
struct PlaceholderScope {
    /// The paths that one event declares for its `data`.
    struct DeclaredData {
        let event: String
        let paths: [[String]]
    }

    /// Whether `actor` is the event's actor; within a batch's element it is a member like any other.
    var hasActor = true
    var hasPreview = false
    /// The names of the type's `previews`, `times`, `words` and `parts`.
    var derivedNames: [String] = []
    /// The preview and derived values that an event may lack.
    var optionalNames: Set<String> = []
    /// The path of the batch's list; nil where there is no batch.
    var list: [String]?
    /// Whether the batch's elements have a kind.
    var hasKind = false
    /// Whether `count` is the number of notifications that a push stands for.
    var isSummary = false
    /// Whether `people` is the number of people who caused these notifications.
    var countsPeople = false
    /// The declared data of the events that lead here; an event that declares none may hold anything.
    var declared: [DeclaredData] = []
    /// False where only derived values are allowed.
    var hasData = true
    /// The language of the texts.
    var locale = "en"
    /// Notes the used values; nil if nothing needs them.
    var used: UsedData?
    /// The used paths within a list's elements, while the list's path is read; nil for values that count as a whole.
    var usedElements: [[String]]?

    /// A batch's element: all paths start at the element.
    static var element: PlaceholderScope { PlaceholderScope(hasActor: false) }
    /// A noun's form: only the count is allowed.
    static func noun(in locale: String) -> PlaceholderScope {
        PlaceholderScope(hasActor: false, list: [], hasData: false, locale: locale)
    }
    /// A push for several types' notifications: only their number is allowed.
    static func digest(in locale: String) -> PlaceholderScope {
        PlaceholderScope(hasActor: false, isSummary: true, hasData: false, locale: locale)
    }

    /// - Parameter isText: whether the value is printed; objects are refused then.
    func placeholder(for path: [String], isText: Bool) throws(TemplateError) -> Placeholder {
        if hasActor, path[0] == "actor" { return path.count == 1 ? .actorName : .actor(Array(path.dropFirst())) }
        if path.count == 1, let own = own(path[0]) {
            used?.note(derived: path[0])
            return own
        }
        if isSummary, path == ["count"] { return .folded }
        if countsPeople, path == ["people"] { return .people }
        if let list {
            if path == list, isText { return .phrase }
            if path == ["count"] { return .count }
            if hasKind, path == ["kind"] { return .kind }
        }
        guard hasData else { throw TemplateError("unknown placeholder; expected {{count}}") }
        for data in declared where !data.paths.contains(where: { reaches(path, by: $0, isText: isText) }) {
            throw TemplateError(unknown: path, in: data, derived: derived)
        }
        used?.note(path, elements: usedElements)
        return .data(path)
    }

    /// The value that the type derives under this name.
    private func own(_ name: String) -> Placeholder? {
        if hasPreview, name == "preview" { return .preview }
        return derivedNames.contains(name) ? .derived(name) : nil
    }

    /// The name of a placeholder whose value an event may lack; nil for all others.
    func optionalName(of placeholder: Placeholder) -> String? {
        let name: String? =
            switch placeholder {
            case .preview: "preview"
            case .derived(let name): name
            case .actorName, .actor, .data, .phrase, .count, .kind, .folded, .people: nil
            }
        return name.flatMap { optionalNames.contains($0) ? $0 : nil }
    }

    private func reaches(_ path: [String], by declared: [String], isText: Bool) -> Bool {
        path.starts(with: declared) || (!isText && declared.starts(with: path))
    }

    /// The placeholders that are allowed beside paths into `data`, for a message.
    private var derived: [String] {
        var names: [String] = []
        if hasActor { names.append("actor") }
        if hasPreview { names.append("preview") }
        names += derivedNames
        if isSummary || list != nil { names.append("count") }
        if countsPeople { names.append("people") }
        if hasKind { names.append("kind") }
        return names
    }
}

extension TemplateError {
    fileprivate init(unknown path: [String], in data: PlaceholderScope.DeclaredData, derived: [String]) {
        let name = path.joined(separator: ".")
        let known = data.paths.map { $0.joined(separator: ".") } + derived
        self.init("the data of event \"\(data.event)\" has no \"\(name)\"\(Spelling.hint(for: name, among: known))")
    }
}
