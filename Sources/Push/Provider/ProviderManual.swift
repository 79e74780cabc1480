/// The texts about a push service for operators: its title, its settings, and advice for its error codes.
package struct ProviderManual: Sendable {
    static let ours = "This is a mistake of this server: please report it."

    /// The name that people use.
    package let title: String
    /// The prefix of its variables.
    let variables: String
    /// The variable of the credential for its pushes.
    let credential: String
    /// Advice for a refused push or key, by the service's word.
    private let advice: [String: String]

    package init(title: String, variables: String, credential: String, advice: [String: String]) {
        self.title = title
        self.variables = variables
        self.credential = credential
        self.advice = advice
    }

    /// Nil for an unknown word.
    func advice(against reason: String) -> String? {
        // Details may follow the word: a place in the message, a number.
        let word = String(reason.prefix { !" ,:".contains($0) || reason.hasPrefix("HTTP") && $0 == " " })
        return advice[reason] ?? advice[word]
    }

    /// Advice for a service that judges no push.
    func advice(against cause: NoAnswer) -> String {
        let connection = "Look at this server's connection (name service, firewall, clock)"
        switch cause.obstacle {
        case .connection:
            return "\(connection), and at \(variables)_ENDPOINT and \(variables)_CA_FILE if they are set."
        case .tokenConnection:
            return "\(connection), at token_uri in the file of \(credential), and at \(variables)_CA_FILE if it is set."
        case .tokenService:
            return "If it lasts, look at the service's status page, and at token_uri in the file of \(credential)."
        case .credential:
            return "Look at \(credential)."
        case .refusedKey:
            return advice(against: cause.reason) ?? "Look at \(credential)."
        }
    }
}
