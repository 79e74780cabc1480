import Inbox
import Postgres
import Transport
import WireProtocol

/// Reads files, variables and flags over the defaults, in this order, and collects their mistakes.
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
    /// The origin of each setting that is not a default, by path.
    private var origins: [String: SettingPlace] = [:]
    /// Where a file has each group, by path.
    var groups: [String: SettingPlace] = [:]
    /// Files, variables and flags in the order in which they were read.
    private var sources: [String] = []

    /// - Parameter settings: the defaults.
    package init(_ settings: Settings = Settings()) { self.settings = settings }

    /// Reads all sources at once.
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

    /// Unknown variables whose names nearly equal a setting's: probably mistakes, which would silently leave that
    /// setting at its default. Empty variables do not count.
    package static func misspelt(in environment: [String: String]) -> [(name: String, nearest: String)] {
        let prefix = "BELFRY_"
        let known = Settings().fields.flatMap { [$0.variable, $0.alias].compactMap(\.self) }
            .filter { $0.hasPrefix(prefix) }
        // Without the common prefix, which would make any two alike.
        let words = known.map { String($0.dropFirst(prefix.count)) }
        return environment.filter { !$0.value.isEmpty }.keys.sorted().compactMap { name in
            guard name.hasPrefix(prefix), !known.contains(name) else { return nil }
            let nearest = Spelling.nearest(to: String(name.dropFirst(prefix.count)), among: words)
            return nearest.map { (name, prefix + $0) }
        }
    }

    /// `BELFRY_…` wins over provider names such as `APNS_KEY_ID`. An empty variable counts as absent, because some
    /// service files can write nothing else. Unknown ones are no mistake: container platforms add their own.
    package mutating func read(environment: [String: String]) {
        for field in settings.fields {
            for name in [field.alias, field.variable].compactMap(\.self) {
                guard let text = environment[name], !text.isEmpty else { continue }
                let texts = field.isList ? text.split(separator: ",").map { Self.trimmed($0) } : [text]
                set(field, to: texts, at: SettingPlace(name))
            }
        }
    }

    package mutating func read(_ flag: Flag) {
        guard let field = settings.field(at: flag.path) else {
            return report(at: SettingPlace(flag.name), flag.path, "there is no such setting")
        }
        set(field, to: flag.texts, at: SettingPlace(flag.name))
    }

    /// The settings, if no mistake was found in them or in their combination.
    package mutating func finish() throws(InvalidSettings) -> Settings {
        checkTogether()
        guard problems.isEmpty else { throw InvalidSettings(problems: problems.sorted(bySources: sources)) }
        return settings
    }

    mutating func set(_ field: SettingField, to texts: [String], at place: SettingPlace) {
        set(field, to: texts.map { ($0, place) }, asList: texts.count > 1, at: place)
    }

    /// - Parameters:
    ///   - texts: for a list, each element with its own place.
    ///   - isList: whether it was given as a list.
    mutating func set(
        _ field: SettingField, to texts: [(text: String, place: SettingPlace)], asList isList: Bool,
        at place: SettingPlace
    ) {
        note(place.source)
        guard !field.write(&settings, texts.map(\.text)) else {
            origins[field.path] = place
            return
        }
        let wrong = isList && field.isList ? texts.enumerated().filter { !field.takes($0.element.text) } : []
        for (index, element) in wrong {
            // The text itself is left out: it may be a secret in the wrong place.
            report(
                at: element.place, "\(field.path)[\(index)]",
                "expected \(field.elementExpectation)\(field.hint(for: element.text))")
        }
        if wrong.isEmpty {
            report(
                at: place, field.path,
                "expected \(field.expectation)\(texts.count == 1 ? field.hint(for: texts[0].text) : "")")
        }
    }

    /// Remembers the order of the sources.
    mutating func note(_ source: String) {
        if !sources.contains(source) { sources.append(source) }
    }

    mutating func report(at place: SettingPlace, _ key: String, _ reason: String) {
        note(place.source)
        problems.append(SettingsProblem(place: place, key: key, reason: reason))
    }

    private mutating func checkTogether() {
        checkAuthentication()
        checkProviders()
        checkConsole()
        checkPublishers()
        checkPublishing()
        checkEdge()
        checkStore()
        checkOutbox()
        checkPush()
        checkWebhooks()
        if settings.traces.headers != nil, settings.traces.endpoint == nil {
            reportChosen("traces.headers", "needs traces.endpoint: nothing is sent without a collector")
        }
    }

    private mutating func checkStore() {
        let store = settings.store
        do throws(PostgresAddress.Fault) {
            guard let address = try store.address() else {
                if store.passwordFile != nil {
                    reportChosen("store.passwordFile", "needs store.url: a store in the data folder has no password")
                }
                if store.listenURL != nil { reportChosen("store.listenURL", "needs store.url") }
                if store.pollInterval > .zero { reportChosen("store.pollInterval", "needs store.url") }
                if store.outboxPublisher != nil { reportChosen("store.outboxPublisher", "needs store.url") }
                return
            }
            if address.hasPassword, store.passwordFile != nil {
                reportChosen("store.passwordFile", "expected a password in either the URL or this file, not both")
            }
        } catch {
            reportChosen("store.url", "expected postgres://user@host/database?sslmode=verify-full; \(error.reason)")
        }
        do throws(PostgresAddress.Fault) {
            if try store.listenAddress() != nil, store.pollInterval > .zero {
                reportChosen("store.pollInterval", "expected either this or store.listenURL, not both")
            }
        } catch {
            reportChosen("store.listenURL", "expected postgres://user@host/database; \(error.reason)")
        }
    }

    private mutating func checkAuthentication() {
        checkAuthentication(settings.auth, at: "auth")
        for app in settings.namedApps { checkAuthentication(settings[auth: app], at: app.settingsPath) }
        checkSecrets()
        checkVariables(settings.namedApps.map(\.text), at: Settings.appsPath)
        checkVariables(settings.publishers.keys.sorted(), at: Settings.publishersPath)
    }

    /// Secrets in files are compared when they are read.
    private mutating func checkSecrets() {
        let apps = [AppName.unnamed] + settings.namedApps
        for (place, app) in apps.enumerated() {
            let auth = settings[auth: app.isUnnamed ? nil : app]
            guard let secret = auth.secret else { continue }
            let other = apps[..<place].first { other in
                let others = settings[auth: other.isUnnamed ? nil : other]
                return others.secret == secret && others.rules().mayMeet(auth.rules())
            }
            guard let other else { continue }
            reportChosen(
                "\(app.settingsPath).secret",
                "is that of \(other.settingsPath), and there is no other audience or issuer: tokens would fit both")
        }
    }

    /// Two names whose settings have the same variables.
    mutating func checkVariables(_ names: [String], at path: String) {
        var known: [String: String] = [:]
        for name in names {
            guard let other = known.updateValue(name, forKey: SettingField.variable(ofPath: name)) else { continue }
            reportChosen("\(path).\(name)", "has the same variables as \(other); expected another name")
        }
    }

    private mutating func checkAuthentication(_ auth: Settings.Auth, at path: String) {
        if let secret = auth.secret, secret.text.utf8.count < VerificationKey.minimumSecretBytes {
            reportChosen("\(path).secret", "expected a text of \(VerificationKey.minimumSecretBytes) bytes or more")
        }
        if auth.secret != nil, auth.secretFile != nil {
            reportChosen("\(path).secretFile", "expected either \(path).secret or \(path).secretFile, not both")
        }
        if auth.algorithms.isEmpty { reportChosen("\(path).algorithms", "expected at least one algorithm") }
    }

    private mutating func checkPublishers() {
        var owners: [String: String] = [:]
        for (name, publisher) in settings.publishers.sorted(by: { $0.key < $1.key }) {
            let path = "\(Settings.publishersPath).\(name)"
            let identities = [
                publisher.uid.map { ("uid", "\($0)") }, publisher.gid.map { ("gid", "\($0)") },
                publisher.keyHash.map { ("keyHash", $0.text) },
            ].compactMap(\.self)
            let isOutbox = name == settings.store.outboxPublisher
            if identities.isEmpty, !isOutbox, !problems.contains(where: { $0.key.isSetting(of: path) }) {
                reportChosen(path, "expected uid, gid or keyHash: nothing tells who this publisher is")
            }
            for (key, value) in identities {
                guard let other = owners.updateValue(name, forKey: "\(key) \(value)") else { continue }
                reportChosen("\(path).\(key)", "is also that of \(other): a caller has to be one publisher")
            }
            let apps = settings.namedApps.map(\.text)
            if let app = publisher.app, !apps.contains(app) {
                let known = apps.isEmpty ? "there are none" : "expected \(Spelling.list(apps))"
                reportChosen("\(path).app", "is no app of auth.apps; \(known)")
            }
        }
    }

    private mutating func checkOutbox() {
        guard let name = settings.store.outboxPublisher else { return }
        guard let publisher = settings.publishers[name] else {
            let known = settings.publishers.keys.sorted()
            let hint = known.isEmpty ? "there are none" : "expected \(Spelling.list(known))"
            return reportChosen("store.outboxPublisher", "is no name in publishers; \(hint)")
        }
        if !publisher.calls.contains(.publish) {
            reportChosen(
                "store.outboxPublisher", "needs the right to publish: \(Settings.publishersPath).\(name).calls")
        }
    }

    /// Makes a publisher known, so that it has settings.
    mutating func add(publisher name: String) {
        if settings.publishers[name] == nil { settings.publishers[name] = Settings.Publisher() }
    }

    /// Makes an endpoint known, so that it has settings.
    mutating func add(webhook name: String) {
        if settings.webhooks.endpoints[name] == nil { settings.webhooks.endpoints[name] = Settings.Webhooks.Endpoint() }
    }

    /// Makes a provider known, so that it has settings.
    mutating func add(provider name: String) {
        if settings.providers[name] == nil { settings.providers[name] = Settings.Provider() }
    }

    /// Makes an app known, so that it has settings.
    mutating func add(_ app: AppName) {
        if settings.authByApp[app] == nil { settings.authByApp[app] = Settings.Auth() }
    }

    private mutating func checkPublishing() {
        let publishing = settings.publishing
        checkCertificate(publishing.certificateFile, publishing.keyFile, at: "publishing")
        guard let address = publishing.listen else { return }
        if case .unix = address {
            reportChosen(
                "publishing.listen", "expected HOST:PORT: the Unix socket of publishers has settings of its own")
        } else if !address.isLoopback, publishing.certificateFile == nil, settings.tls.certificateFile == nil {
            reportChosen(
                "publishing.listen",
                "needs publishing.certificateFile and publishing.keyFile, or those of tls: without encryption, keys "
                    + "may not leave this machine, and only a loopback address such as 127.0.0.1:8443 is possible")
        }
        for (name, other) in [("listen", settings.listen), ("ops", settings.ops)] where address.collides(with: other) {
            reportChosen("publishing.listen", "is the address of \(name), too; expected another port")
        }
        if !settings.publishers.values.contains(where: { $0.keyHash != nil }) {
            reportChosen("publishing.listen", "needs a publisher with a keyHash: nobody could publish there otherwise")
        }
    }

    private mutating func checkCertificate(_ certificateFile: String?, _ keyFile: String?, at group: String) {
        switch (certificateFile, keyFile) {
        case (nil, nil), (.some, .some): break
        case (nil, .some): reportChosen("\(group).certificateFile", "is missing: TLS needs certificateFile and keyFile")
        case (.some, nil): reportChosen("\(group).keyFile", "is missing: TLS needs certificateFile and keyFile")
        }
    }

    private mutating func checkEdge() {
        checkCertificate(settings.tls.certificateFile, settings.tls.keyFile, at: "tls")
        if settings.listen.collides(with: settings.ops) {
            reportChosen("ops", "is the address of listen, too; expected another port")
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
        for need in settings.services.all.compactMap(\.need) {
            let keys = need.keys.map { (name: $0.name, isMissing: $0.isMissing(settings.push)) }
            checkAllOrNone(need.group, need.text, keys)
        }
    }

    private mutating func checkAllOrNone(_ group: String, _ need: String, _ keys: [(name: String, isMissing: Bool)]) {
        guard keys.contains(where: { !$0.isMissing }) else { return }
        for key in keys where key.isMissing {
            let path = "\(group).\(key.name)"
            // A wrong value was reported already.
            guard !problems.contains(where: { $0.key == path }) else { continue }
            reportChosen(path, "is missing: \(need)")
        }
    }

    mutating func reportChosen(_ path: String, _ reason: String) {
        report(at: place(of: path) ?? SettingPlace("settings"), path, reason)
    }

    /// A missing setting has no place of its own: what is given of the nearest group stands for it, or that group.
    private func place(of path: String) -> SettingPlace? {
        if let place = origins[path] ?? groups[path] { return place }
        var group = path[...]
        while let dot = group.lastIndex(of: ".") {
            group = group[..<dot]
            let given = origins.filter { $0.key.isSetting(of: group) }.min { $0.key < $1.key }
            if let place = given?.value ?? groups[String(group)] { return place }
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension String {
    /// Whether this path names a setting of the group itself, not of a group inside it. Names of publishers and apps may
    /// have dots.
    fileprivate func isSetting(of group: some StringProtocol) -> Bool {
        hasPrefix("\(group).") && !dropFirst(group.count + 1).contains(".")
    }
}
