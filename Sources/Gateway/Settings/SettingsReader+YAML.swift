import Foundation
import Inbox
import Yams

extension SettingsReader {
    package mutating func read(file: String) {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            read(yaml: try TextFile.text(Array(data)), file: file)
        } catch let error as TextFile.NotUTF8 {
            report(at: SettingPlace(file, line: error.line), "", "\(error)")
        } catch {
            report(at: SettingPlace(file), "", "cannot be read: \(FileFailure(error))")
        }
    }

    /// - Parameter file: the text's name in errors.
    package mutating func read(yaml: String, file: String) {
        note(file)
        do {
            guard let root = try Yams.compose(yaml: yaml) else { return }
            if root.isNull { return }
            guard let mapping = root.mapping else {
                return report(at: SettingPlace(file, line: root.line), "", "expected settings as `key: value`")
            }
            read(mapping, under: [], file)
        } catch let error as YamlError {
            report(at: SettingPlace(file, line: error.line), "", error.reason)
        } catch {
            report(at: SettingPlace(file), "", "is not YAML")
        }
    }

    private mutating func read(_ mapping: Yams.Node.Mapping, under group: [String], _ file: String) {
        for (key, value) in mapping {
            let place = SettingPlace(file, line: key.line)
            guard let name = key.string else {
                report(at: place, group.joined(separator: "."), "expected a key")
                continue
            }
            let path = (group + [name]).joined(separator: ".")
            if path == Settings.appsPath {
                readNamed(value, at: path, place) { reader, name in
                    guard let app = AppName(name) else { return false }
                    reader.add(app)
                    return true
                }
            } else if path == Settings.providersPath {
                readNamed(value, at: path, place) { reader, name in
                    guard AppName(name) != nil else { return false }
                    reader.add(provider: name)
                    return true
                }
            } else if path == Settings.publishersPath {
                readNamed(value, at: path, place) { reader, name in
                    guard AppName(name) != nil else { return false }
                    reader.add(publisher: name)
                    return true
                }
            } else if path == Settings.webhooksPath {
                readNamed(value, at: path, place) { reader, name in
                    guard AppName(name) != nil else { return false }
                    reader.add(webhook: name)
                    return true
                }
            } else if let field = settings.field(at: path) {
                read(value, for: field, at: place)
            } else if settings.isGroup(path) {
                if let inner = value.mapping {
                    groups[path] = place
                    read(inner, under: group + [name], file)
                } else if value.scalar != nil, let url = settings.field(at: path + ".url") {
                    // The short form of a group of which only the address is set.
                    read(value, for: url, at: place)
                } else if !value.isNull {
                    report(at: place, path, "expected a group of settings")
                }
            } else {
                let (key, told, rest) = name.asKey
                let advice =
                    rest.hasPrefix(":") ? "; expected a space behind the colon" : advice(for: key, in: group)
                report(at: place, (group + [told]).joined(separator: "."), "is not a setting\(advice)")
            }
        }
    }

    /// Reads a group of groups: each key is the name of an app, a provider or a publisher, and its value has that one's settings.
    ///
    /// - Parameter add: makes the named one known; false if it cannot have this name.
    private mutating func readNamed(
        _ value: Yams.Node, at path: String, _ place: SettingPlace,
        add: (inout SettingsReader, String) -> Bool
    ) {
        if value.isNull { return }
        guard let named = value.mapping else {
            return report(at: place, path, "expected names, each with a group of settings")
        }
        groups[path] = place
        for (key, value) in named {
            let place = SettingPlace(place.source, line: key.line)
            // Publishers' and providers' names have the same form.
            guard let name = key.string, add(&self, name) else {
                report(at: place, path, "expected \(AppName.expectation)")
                continue
            }
            groups["\(path).\(name)"] = place
            if let settings = value.mapping {
                read(settings, under: path.split(separator: ".").map(String.init) + [name], place.source)
            } else if !value.isNull {
                report(at: place, "\(path).\(name)", "expected a group of settings")
            }
        }
    }

    /// No value, `~` or `null` leaves the setting unchanged.
    private mutating func read(_ value: Yams.Node, for field: SettingField, at place: SettingPlace) {
        if value.isNull { return }
        let elements = field.isList ? value.sequence.map(Array.init) ?? [value] : [value]
        let texts = elements.compactMap { element in
            element.scalar.map { ($0.string, SettingPlace(place.source, line: element.line)) }
        }
        guard texts.count == elements.count else {
            return report(at: place, field.path, "expected \(field.expectation)")
        }
        set(field, to: texts, asList: value.sequence != nil, at: place)
    }

    /// The nearest key of the group, else a setting of that name elsewhere, else all keys of the group.
    private func advice(for name: String, in group: [String]) -> String {
        let siblings = settings.keys(of: group)
        if let nearest = Spelling.nearest(to: name, among: siblings) { return "; did you mean \"\(nearest)\"?" }
        let elsewhere = settings.fields.map(\.path).first { $0.hasSuffix(".\(name)") }
        if let elsewhere { return "; did you mean \"\(elsewhere)\"?" }
        return "; expected \(Spelling.list(siblings))"
    }
}

extension Settings {
    /// The keys in a group of settings, in the order of the table.
    fileprivate func keys(of group: [String]) -> [String] {
        var keys: [String] = []
        // A publisher's name may have dots.
        let start = group.map { $0 + "." }.joined()
        for field in fields where field.path.hasPrefix(start) {
            let key = String(field.path.dropFirst(start.count).prefix { $0 != "." })
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}

extension String {
    /// The part of a key that may be told, and what follows: `{secret:abc}`, without a space, is a key.
    fileprivate var asKey: (key: String, told: String, rest: Substring) {
        let key = prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
        let rest = self[key.endIndex...]
        return (String(key), rest.isEmpty ? self : key + "…", rest)
    }
}

extension Yams.Node {
    fileprivate var line: Int { mark?.line ?? 1 }

    fileprivate var isNull: Bool {
        guard let scalar, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null"].contains(scalar.string)
    }
}

extension YamlError {
    fileprivate var line: Int {
        switch self {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
        case .duplicatedKeysInMapping(_, let context): context.mark.line
        default: 1
        }
    }

    /// Leaves out the library's excerpt of the file: a line may contain a secret.
    fileprivate var reason: String {
        switch self {
        case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _):
            "is not YAML: \(problem)"
        case .duplicatedKeysInMapping(let duplicates, _):
            "stands twice: \(duplicates.map(\.asKey.told).joined(separator: ", "))"
        default: "is not YAML"
        }
    }
}
