/// Where the keys are.
package struct KeySource: Sendable, Hashable {
    /// A secret for HS256, as the settings hold it.
    package var secret: Secret?
    /// A file that holds such a secret; white space around it is not part of it.
    package var secretFile: String?
    /// PEM files with public keys or certificates, any number in each.
    package var publicKeyFiles: [String]
    /// A JSON Web Key set (RFC 7517 §5).
    package var jwksFile: String?
    /// The secret of this machine's own tokens, in development.
    package var developmentSecret: Secret?

    package init(
        secret: Secret? = nil, secretFile: String? = nil, publicKeyFiles: [String] = [], jwksFile: String? = nil,
        developmentSecret: Secret? = nil
    ) {
        self.secret = secret
        self.secretFile = secretFile
        self.publicKeyFiles = publicKeyFiles
        self.jwksFile = jwksFile
        self.developmentSecret = developmentSecret
    }

    private var files: [String] { [secretFile, jwksFile].compactMap(\.self) + publicKeyFiles }

    /// What the files look like now; compared with a later look, it tells whether to load again.
    func stamps() -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for file in files { stamps[file] = FileStamp(of: file) }
        return stamps
    }
}
