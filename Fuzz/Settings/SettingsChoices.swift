import Inbox

@testable import Gateway

/// Settings that the bytes of an input make up: real paths with values of their own or of another setting's kind.
enum SettingsChoices {
    /// Stands for each secret.
    static let secret = "Zx9secretZx9Zx9secretZx9Zx9secretZx9"

    private static let named = {
        var settings = Settings()
        for name in ["golf", "a.b", "a-b"] {
            if let app = AppName(name) { settings.authByApp[app] = .init() }
            settings.providers[name] = .init()
            settings.publishers[name] = .init()
            settings.webhooks.endpoints[name] = .init()
        }
        return settings
    }()
    private static let fields = named.fields

    private static let texts = [
        "0", "1", "-1", "9223372036854775807", "9223372036854775808", "true", "False", "5m", "0s", "3650d", "1.5",
        "0660",
        "127.0.0.1:8080", "[::1]:0", ":8080", "0.0.0.0:65536", "unix:/tmp/s", "./data", "https://example.com",
        "http://[::1", "10.0.0.0/8", "null", "*", "HS256", "none", "golf", "golf=com.example", "~", "",
        "sha256:0000000000000000000000000000000000000000000000000000000000000000", "publish", "\u{661}", "a\nb", "a: b",
        "{{",
    ]
    private static let secretTexts = [
        secret, "postgres://u:\(secret)@host/db?sslmode=verify-full", "postgres://u:\(secret)@host:99999/db",
        "postgres://u:\(secret)@/db?host=/tmp&password=\(secret)", "host=\(secret)", "whsec_\(secret)",
        "https://u:\(secret)@example.com/hook?\(secret)",
    ]
    /// The paths of those that print as a placeholder.
    private static let secretPaths: Set<String> = Set(
        fields.compactMap { field in
            var settings = Settings()
            (settings.authByApp, settings.providers) = (named.authByApp, named.providers)
            (settings.publishers, settings.webhooks) = (named.publishers, named.webhooks)
            let isSecret = field.write(&settings, [secret]) && !field.texts(settings).contains(secret)
            return isSecret ? field.path : nil
        })

    private static func value(of field: SettingField, _ choices: inout Choices) -> String {
        if choices.isOne(in: 2), let text = field.texts(Settings()).first { return text }
        if case .choice(let words) = field.form, choices.isOne(in: 2) { return choices.pick(words) }
        if secretPaths.contains(field.path), choices.isOne(in: 2) { return choices.pick(secretTexts) }
        return choices.text(texts)
    }

    /// One of a few hundred, which takes two bytes.
    private static func field(_ choices: inout Choices) -> SettingField {
        fields[(choices.number(below: 256) << 8 | choices.number(below: 256)) % fields.count]
    }

    static func file(_ choices: inout Choices) -> String {
        var root = Group()
        for _ in 0..<choices.number(below: 16) {
            let field = field(&choices)
            var value = quoted(value(of: field, &choices), &choices)
            if field.isList, choices.isOne(in: 2) { value = "[\(value), \(quoted(choices.text(texts), &choices))]" }
            root.set(field.path.split(separator: ".").map(String.init), to: value)
        }
        return root.yaml
    }

    private static func quoted(_ text: String, _ choices: inout Choices) -> String {
        if choices.isOne(in: 3) { return text }
        return "'" + text.replacing("'", with: "''") + "'"
    }

    static func variables(_ choices: inout Choices) -> [String: String] {
        var variables: [String: String] = [:]
        for _ in 0..<choices.number(below: 16) {
            let field = field(&choices)
            var name = choices.isOne(in: 4) ? field.alias ?? field.variable : field.variable
            if choices.isOne(in: 8) { name.removeLast() }
            variables[name] = value(of: field, &choices)
        }
        return variables
    }

    static func flags(_ choices: inout Choices) -> [SettingsReader.Flag] {
        (0..<choices.number(below: 4)).map { _ in
            let field = field(&choices)
            let values = (0...choices.number(below: 2)).map { _ in value(of: field, &choices) }
            return SettingsReader.Flag("--flag", for: field.path, values)
        }
    }

    /// A mapping that is written as YAML.
    private struct Group {
        private var values: [(key: String, value: String)] = []
        private var groups: [(key: String, group: Group)] = []

        mutating func set(_ path: [String], to value: String) {
            guard path.count > 1 else { return values.append((path[0], value)) }
            let place = groups.firstIndex { $0.key == path[0] }
            if place == nil { groups.append((path[0], Group())) }
            groups[place ?? groups.count - 1].group.set(Array(path.dropFirst()), to: value)
        }

        var yaml: String {
            let lines =
                values.map { "\($0.key): \($0.value)\n" }
                + groups.map { key, group in
                    "\(key):\n" + group.yaml.split(separator: "\n").map { "  \($0)\n" }.joined()
                }
            return lines.joined()
        }
    }
}
