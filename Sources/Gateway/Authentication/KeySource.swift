/// The sources of the keys.
package struct KeySource: Sendable, Hashable {
    /// A secret for HS256 from the settings.
    package var secret: Secret?
    /// A file with such a secret; surrounding white space is not part of it.
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

    /// The stamps of the files; if a later call returns others, the keys must be loaded again.
    func stamps() -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for file in files { stamps[file] = FileStamp(of: file) }
        return stamps
    }
}
