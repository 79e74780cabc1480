import JSON

/// A provider's answer to a request for one of its documents.
struct FetchedDocument: Sendable {
    let status: Int
    /// Names in lower case.
    let headers: [(name: String, value: String)]
    let body: [UInt8]

    /// The JSON object in an answer. The type that the answer claims does not count: stores of static files give key
    /// sets any type, and what is not JSON is found out by reading.
    func object() throws(FetchFault) -> JSONObject {
        // RFC 9110 §15.4: redirects are not followed, since they could lead anywhere.
        guard !(300..<400).contains(status) else { throw .answer("a redirect to another address (\(status))") }
        guard status == 200 else { throw .answer("the status \(status)") }
        guard let object = try? JSONValue(parsingUnambiguous: body).object else { throw .answer("no JSON object") }
        return object
    }

    /// Reads an issuer's settings (OpenID Connect Discovery 1.0 §3).
    ///
    /// - Returns: where its keys are.
    func keysURL(of issuer: ProviderURL) throws(FetchFault) -> ProviderURL {
        let object = try object()
        // §4.3: it must be exactly the same, or another issuer's keys would be taken for this one's.
        guard object["issuer"]?.string == issuer.text else { throw .answer("a document of another issuer") }
        guard let url = object["jwks_uri"]?.string.flatMap(ProviderURL.init), issuer.mayLead(to: url) else {
            throw .answer("no usable jwks_uri: expected a URL that begins with https://")
        }
        return url
    }

    /// More keys are a mistake, or an attempt to fill the memory.
    static let maximumKeys = 100

    /// Reads a JSON Web Key set (RFC 7517 §5).
    ///
    /// - Returns: its members, of any kind.
    func keys() throws(FetchFault) -> [JSONValue] {
        guard let keys = try object()["keys"]?.array else { throw .answer("no JSON Web Key set") }
        guard keys.count <= Self.maximumKeys else { throw .answer("more than \(Self.maximumKeys) keys") }
        return keys
    }
}
