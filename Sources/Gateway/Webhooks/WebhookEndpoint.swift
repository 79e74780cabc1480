import WireProtocol

/// One address that gets webhooks, with what signs them.
struct WebhookEndpoint: Sendable {
    let name: String
    let url: String
    let secrets: WebhookSecrets

    static let urlExpectation = "a URL, such as https://backend.example.com/webhooks"

    static func isURL(_ text: String) -> Bool { host(of: text).map { !$0.isEmpty } ?? false }

    /// Whether nobody else can read on the way.
    static func isPrivate(_ url: String) -> Bool {
        guard !url.hasPrefix("https://"), let host = host(of: url) else { return true }
        return host == "localhost" || host == "[::1]" || host.hasPrefix("127.") && IPAddress(String(host)) != nil
    }

    /// Nil for what is no URL of HTTP, or has a name and a password in it.
    private static func host(of text: String) -> Substring? {
        guard let start = ["http://", "https://"].first(where: text.hasPrefix)?.count,
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"#@\\\"<>".utf8.contains($0) })
        else { return nil }
        let authority = text.dropFirst(start).prefix { $0 != "/" && $0 != "?" }
        // The colons of an IPv6 address are between brackets.
        let end = authority.lastIndex(of: "]").map(authority.index(after:)) ?? authority.firstIndex(of: ":")
        let port = authority[(end ?? authority.endIndex)...]
        guard port.isEmpty || port.first == ":" && UInt16(port.dropFirst()).map({ $0 > 0 }) == true else { return nil }
        return authority[..<(end ?? authority.endIndex)]
    }

    /// Those that the settings name, with their secrets from files.
    static func all(of settings: Settings) throws(ServerError) -> [WebhookEndpoint] {
        var endpoints: [WebhookEndpoint] = []
        for (name, endpoint) in settings.webhooks.endpoints.sorted(by: { $0.key < $1.key }) {
            if let endpoint = try WebhookEndpoint(name, endpoint) { endpoints.append(endpoint) }
        }
        return endpoints
    }

    /// Reads the secrets. Nil if the settings lack something.
    init?(_ name: String, _ settings: Settings.Webhooks.Endpoint) throws(ServerError) {
        guard let url = settings.url, let file = settings.secretFile else { return nil }
        let setting = "\(Settings.webhooksPath).\(name).secretFile"
        let text: String
        do { text = try TextFile.read(file) } catch { throw ServerError("\(setting): \(error)") }
        guard let secrets = WebhookSecrets(text) else {
            throw ServerError("\(setting): \(file): \(WebhookSecrets.expectation)")
        }
        (self.name, self.url, self.secrets) = (name, url, secrets)
    }
}
