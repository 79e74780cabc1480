import Inbox
import WireProtocol

/// Lays files, variables and flags over the defaults, in this order, and collects what is wrong in them.
package struct SettingsReader {
    /// A setting given on the command line.
    package struct Flag: Sendable {
        package let name: String
        package let path: String
        package let texts: [String]

        package init(_ name: String, for path: String, _ texts: [String]) {
            self.name = name
            self.path = path
            self.texts = texts
        }
    }

    package private(set) var settings: Settings
    package private(set) var problems: [SettingsProblem] = []
    /// Where each setting that is not a default came from, by path.
    private var origins: [String: String] = [:]

    /// - Parameter settings: over which everything is laid that is read.
    package init(_ settings: Settings = Settings()) { self.settings = settings }

    /// All sources at once.
    ///
    /// - Parameter file: the path of a configuration file; nil for none.
    package static func read(
        file: String?, environment: [String: String], flags: [Flag] = []
    ) throws(InvalidSettings) -> Settings {
        var reader = SettingsReader()
        if let file { reader.read(file: file) }
        reader.read(environment: environment)
        for flag in flags { reader.read(flag) }
        return try reader.finish()
    }

    /// The variables that no setting has, but one that is spelt nearly so: probably a mistake, which would leave that
    /// setting at its default without a word. An empty one is none.
    package static func misspelt(in environment: [String: String]) -> [(name: String, nearest: String)] {
        let prefix = "BELFRY_"
        let known = Settings.fields.map(\.variable)
        // Without what all of them begin with, by which any two would be alike.
        let words = known.map { String($0.dropFirst(prefix.count)) }
        return environment.filter { !$0.value.isEmpty }.keys.sorted().compactMap { name in
            guard name.hasPrefix(prefix), !known.contains(name) else { return nil }
            let nearest = Spelling.nearest(to: String(name.dropFirst(prefix.count)), among: words)
            return nearest.map { (name, prefix + $0) }
        }
    }

    /// Provider names such as `APNS_KEY_ID` count less than `BELFRY_…`. An empty variable is like none, because that is
    /// all some service files can write. Unknown ones are no mistake: container platforms add their own.
    package mutating func read(environment: [String: String]) {
        for field in Settings.fields {
            for name in [field.alias, field.variable].compactMap(\.self) {
                guard let text = environment[name], !text.isEmpty else { continue }
                let texts = field.isList ? text.split(separator: ",").map { Self.trimmed($0) } : [text]
                set(field, to: texts, at: name)
            }
        }
    }

    package mutating func read(_ flag: Flag) {
        guard let field = Settings.field(at: flag.path) else {
            return report(at: flag.name, flag.path, "there is no such setting")
        }
        set(field, to: flag.texts, at: flag.name)
    }

    /// The settings, if nothing was wrong with them or with how they go together.
    package mutating func finish() throws(InvalidSettings) -> Settings {
        checkTogether()
        guard problems.isEmpty else { throw InvalidSettings(problems: problems) }
        return settings
    }

    mutating func set(_ field: SettingField, to texts: [String], at place: String) {
        if field.write(&settings, texts) {
            origins[field.path] = place
        } else {
            report(at: place, field.path, "expected \(field.expectation)")
        }
    }

    mutating func report(at place: String, _ key: String, _ reason: String) {
        problems.append(SettingsProblem(place: place, key: key, reason: reason))
    }

    private mutating func checkTogether() {
        checkAuthentication()
        checkEdge()
        checkPush()
    }

    private mutating func checkAuthentication() {
        let auth = settings.auth
        if let secret = auth.secret, secret.text.utf8.count < VerificationKey.minimumSecretBytes {
            reportChosen("auth.secret", "expected a text of \(VerificationKey.minimumSecretBytes) bytes or more")
        }
        if auth.secret != nil, auth.secretFile != nil {
            reportChosen("auth.secretFile", "expected either auth.secret or auth.secretFile, not both")
        }
        if auth.algorithms.isEmpty { reportChosen("auth.algorithms", "expected at least one algorithm") }
    }

    private mutating func checkEdge() {
        switch (settings.tls.certificateFile, settings.tls.keyFile) {
        case (nil, nil), (.some, .some): break
        case (nil, .some): reportChosen("tls.certificateFile", "is missing: TLS needs certificateFile and keyFile")
        case (.some, nil): reportChosen("tls.keyFile", "is missing: TLS needs certificateFile and keyFile")
        }
        do throws(OriginRules.Malformed) {
            _ = try OriginRules(settings.admission.origins)
        } catch {
            reportChosen("admission.origins", error.description)
        }
        do throws(TrustedProxies.Malformed) {
            _ = try TrustedProxies(settings.proxy.trusted)
        } catch {
            reportChosen("proxy.trusted", error.description)
        }
        if settings.proxy.usesProxyProtocol, settings.proxy.trusted.isEmpty {
            reportChosen("proxy.protocol", "needs proxy.trusted: nobody could connect otherwise")
        }
    }

    private mutating func checkPush() {
        let (apns, oneSignal, webPush) = (settings.push.apns, settings.push.oneSignal, settings.push.webPush)
        checkAllOrNone(
            "push.apns", "APNs needs keyID, teamID, keyPath and bundleID",
            [
                ("keyID", apns.keyID == nil), ("teamID", apns.teamID == nil), ("keyPath", apns.keyPath == nil),
                ("bundleID", apns.bundleID == nil),
            ])
        checkAllOrNone(
            "push.oneSignal", "OneSignal needs appID and apiKey",
            [("appID", oneSignal.appID == nil), ("apiKey", oneSignal.apiKey == nil)])
        checkAllOrNone(
            "push.webPush", "Web Push needs privateKeyPath and subject",
            [("privateKeyPath", webPush.privateKeyPath == nil), ("subject", webPush.subject == nil)])
    }

    private mutating func checkAllOrNone(_ group: String, _ need: String, _ keys: [(name: String, isMissing: Bool)]) {
        guard keys.contains(where: { !$0.isMissing }) else { return }
        for key in keys where key.isMissing {
            let path = "\(group).\(key.name)"
            // One that is there and wrong is told already.
            guard !problems.contains(where: { $0.key == path }) else { continue }
            reportChosen(path, "is missing: \(need)")
        }
    }

    private mutating func reportChosen(_ path: String, _ reason: String) {
        // What is missing has no place of its own: its group's first chosen setting stands for it.
        let group = path.prefix { $0 != "." } + "."
        let place = origins[path] ?? origins.filter { $0.key.hasPrefix(group) }.min { $0.key < $1.key }?.value
        report(at: place ?? "settings", path, reason)
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
