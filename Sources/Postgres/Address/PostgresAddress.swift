import CPostgres

/// Where PostgreSQL is, and as whom to speak to it, as libpq reads it from a URL.
///
/// The URL may name several hosts; the first that takes writes is used. Its description never shows a password.
package struct PostgresAddress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// Why a text is no address; it quotes nothing, since any part may belong to a password.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let reason: String
        package var description: String { "The address of PostgreSQL: \(reason)" }
    }

    /// One of the hosts. Empty texts are left to libpq: its environment variables, and then its defaults.
    struct Host: Hashable, Sendable {
        var name = ""
        /// The numeric address, if no name is to be looked up.
        var number = ""
        var port = ""
    }

    /// In the order in which they are tried; at least one.
    let hosts: [Host]
    /// Everything else by libpq's keywords.
    private(set) var settings: [String: String]

    /// - Parameter url: `postgres://user:password@host:port,host:port/database?sslmode=verify-full`, with libpq's
    ///   parameters.
    package init(_ url: String) throws(Fault) {
        // libpq takes `key=value` texts too. Its errors about these would quote a value without marks.
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            throw Fault(reason: "it begins with postgres://")
        }
        var settings = try Self.read(url)
        let names = Self.list(settings.removeValue(forKey: "host"))
        let numbers = Self.list(settings.removeValue(forKey: "hostaddr"))
        let ports = Self.list(settings.removeValue(forKey: "port"))
        let count = max(names.count, numbers.count, 1)
        guard names.isEmpty || numbers.isEmpty || names.count == numbers.count else {
            throw Fault(reason: "it has as many `hostaddr` as hosts, or none")
        }
        guard ports.count <= 1 || ports.count == count else {
            throw Fault(reason: "it has a port for each host, one for all, or none")
        }
        // A password with an unescaped @ or / leaves its rest there, and messages about hosts quote them.
        guard names.allSatisfy({ !$0.contains("@") }) else {
            throw Fault(reason: "in a password, @ is written %40, / is %2F, and : is %3A")
        }
        if let wanted = settings["target_session_attrs"], wanted != "read-write" {
            throw Fault(reason: "`target_session_attrs` is always read-write")
        }
        settings["target_session_attrs"] = nil
        hosts = (0..<count).map { place in
            Host(
                name: names.isEmpty ? "" : names[place], number: numbers.isEmpty ? "" : numbers[place],
                port: ports.isEmpty ? "" : ports[ports.count == 1 ? 0 : place])
        }
        self.settings = settings
    }

    /// Whether the URL has a password. Without one libpq looks at `PGPASSWORD` and `PGPASSFILE`.
    package var hasPassword: Bool { settings["password"] != nil }

    /// The same address with a password.
    package func with(password: String) -> PostgresAddress {
        var address = self
        address.settings["password"] = password
        return address
    }

    /// The same address with the name that the server's lists of sessions show, unless the URL has one.
    package func named(_ applicationName: String) -> PostgresAddress {
        var address = self
        if address.settings["application_name"] == nil { address.settings["application_name"] = applicationName }
        return address
    }

    package var description: String {
        let user = settings["user"].map { "\($0)@" } ?? ""
        let places = hosts.map { host in
            let name = host.name.isEmpty ? host.number : host.name
            return host.port.isEmpty ? name : "\(name):\(host.port)"
        }
        let tls = settings["sslmode"].map { "?sslmode=\($0)" } ?? ""
        return "postgres://\(user)\(places.joined(separator: ","))/\(settings["dbname"] ?? "")\(tls)"
    }

    /// A dump shows no more than the description.
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// libpq's keywords and values for a session with one of the hosts.
    ///
    /// - Parameter options: these hold where the URL says otherwise, except for its `application_name`.
    func keywords(for host: Host, _ options: PostgresOptions) -> [(String, String)] {
        var words = settings
        // A path that is cut is noticed after five seconds, or ten where nobody waits for an answer. A server that is
        // only slow is none: its system confirms what comes.
        for (word, value) in [
            ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "5000"), ("application_name", options.applicationName),
        ] where words[word] == nil {
            words[word] = value
        }
        for (word, value) in [("host", host.name), ("hostaddr", host.number), ("port", host.port)]
        where !value.isEmpty {
            words[word] = value
        }
        words["target_session_attrs"] = "read-write"
        words["client_encoding"] = "UTF8"
        words["options"] = [words["options"], options.startup].compactMap(\.self).joined(separator: " ")
        return words.map { ($0.key, $0.value) }
    }

    // MARK: Reading

    private static func read(_ url: String) throws(Fault) -> [String: String] {
        var complaint: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &complaint) else {
            defer { PQfreemem(complaint) }
            let message = complaint.map { String(cString: $0) } ?? "out of memory"
            // Up to the quotation, which may be a password's part.
            throw Fault(reason: "libpq says: " + message.prefix { $0 != "\"" && $0 != ":" && !$0.isNewline })
        }
        defer { PQconninfoFree(options) }
        var settings: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { settings[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return settings
    }

    private static func list(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
