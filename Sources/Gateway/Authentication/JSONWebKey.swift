import JSON

/// A public key of a JSON Web Key set (RFC 7517 §4) that tokens can be verified with.
struct JSONWebKey {
    enum Material {
        case rsa(modulus: String, exponent: String)
        case p256(x: String, y: String)
        case ed25519(x: String)
    }

    let identifier: String?
    let material: Material

    /// The reason to skip a member of the set. Sets are shared: a key for another purpose is no mistake.
    struct Ignored: Error {
        let reason: String
    }

    init(_ object: JSONObject) throws(Ignored) {
        if let use = object["use"], use != "sig" { throw Ignored(reason: "is not for signatures (use)") }
        let algorithm: SigningAlgorithm
        switch (object["kty"]?.string, object["crv"]?.string) {
        case ("RSA", _):
            material = .rsa(modulus: try Self.text("n", of: object), exponent: try Self.text("e", of: object))
            algorithm = .rs256
        case ("EC", "P-256"):
            material = .p256(x: try Self.text("x", of: object), y: try Self.text("y", of: object))
            algorithm = .es256
        case ("OKP", "Ed25519"):
            material = .ed25519(x: try Self.text("x", of: object))
            algorithm = .edDSA
        default:
            throw Ignored(reason: "is of a type that is not supported (kty, crv)")
        }
        if let named = object["alg"], named.string != algorithm.rawValue {
            throw Ignored(reason: "is for another algorithm than \(algorithm.rawValue) (alg)")
        }
        identifier = object["kid"]?.string
    }

    private static func text(_ member: String, of object: JSONObject) throws(Ignored) -> String {
        guard let text = object[member]?.string else { throw Ignored(reason: "has no \(member)") }
        return text
    }
}
