extension SettingsReader {
    mutating func checkConsole() {
        let oidc = settings.console.oidc
        guard oidc.isOn else { return }
        let needed = [
            ("issuer", oidc.issuer == nil, "expected the URL that its tokens have as iss"),
            ("clientID", oidc.clientID == nil, "expected the client's id at the issuer"),
            (
                "redirectURI", oidc.redirectURI == nil,
                "expected the console's address as browsers see it, with the path \(ConsoleSignIn.callbackPath)"
            ),
            (
                "allow.values", oidc.allowValues.isEmpty,
                "expected whom to let in, such as e-mail addresses; otherwise it would be everybody whom the issuer knows"
            ),
        ]
        for (key, isMissing, reason) in needed {
            let path = "\(Settings.OIDC.path).\(key)"
            // A wrong value was reported already.
            guard isMissing, !problems.contains(where: { $0.key == path }) else { continue }
            reportChosen(path, "is missing: \(reason)")
        }
        if oidc.allowValues.contains(where: \.isEmpty) {
            reportChosen("\(Settings.OIDC.path).allow.values", "expected values that are not empty")
        }
        if !oidc.scopes.contains(where: { $0.split(separator: " ").contains("openid") }) {
            reportChosen(
                "\(Settings.OIDC.path).scopes", "expected openid among them: without it there is no ID token")
        }
    }
}
