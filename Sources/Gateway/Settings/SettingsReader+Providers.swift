import Inbox

extension SettingsReader {
    mutating func checkProviders() {
        let apps = settings.namedApps.map(\.text)
        var known: [(name: String, provider: Settings.Provider)] = []
        for (name, provider) in settings.providers.sorted(by: { $0.key < $1.key }) {
            let path = "\(Settings.providersPath).\(name)"
            if provider.issuer == nil, !problems.contains(where: { $0.key == "\(path).issuer" }) {
                reportChosen("\(path).issuer", "is missing: expected the URL that its tokens have as iss")
            }
            if provider.audience.isEmpty {
                reportChosen(
                    "\(path).audience",
                    "is missing: tokens that the provider has made for somebody else would be taken")
            }
            if provider.algorithms.isEmpty
                || !Set(provider.algorithms).isSubset(of: Settings.Provider.possibleAlgorithms)
            {
                let words = Settings.Provider.possibleAlgorithms.map(\.rawValue)
                reportChosen("\(path).algorithms", "expected \(Spelling.list(words)): a public key is for no other")
            }
            if provider.minimumAge > provider.maximumAge {
                reportChosen("\(path).minimumAge", "expected no more than \(path).maximumAge")
            }
            if let issuer = provider.issuer.flatMap(ProviderURL.init),
                let keysURL = provider.keysURL.flatMap(ProviderURL.init), !issuer.mayLead(to: keysURL)
            {
                reportChosen("\(path).keysURL", "expected a URL that begins with https://")
            }
            if let app = provider.app, !apps.contains(app) {
                let known = apps.isEmpty ? "there are none" : "expected \(Spelling.list(apps))"
                reportChosen("\(path).app", "is no app of auth.apps; \(known)")
            }
            let other = known.first { other in
                other.provider.issuer == provider.issuer && provider.issuer != nil
                    && (other.provider.audienceClaim != provider.audienceClaim
                        || !Set(other.provider.audience).isDisjoint(with: provider.audience))
            }
            if let other {
                reportChosen(
                    "\(path).audience", "is that of \(other.name), whose issuer is the same: tokens would fit both")
            }
            known.append((name, provider))
        }
        checkVariables(known.map(\.name), at: Settings.providersPath)
    }
}
