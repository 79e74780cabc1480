@testable import Gateway

/// Answers of a provider at `https://id.example/`.
enum FetchedAnswers {
    static let issuer = "https://id.example/"
    static let keysURL = "https://keys.example/jwks.json"

    static func document(_ text: String, status: Int = 200, _ headers: (String, String)...) -> FetchedDocument {
        FetchedDocument(status: status, headers: headers.map { (name: $0.0, value: $0.1) }, body: Array(text.utf8))
    }

    static let settings = document(#"{"issuer":"https://id.example/","jwks_uri":"https://keys.example/jwks.json"}"#)

    static func keySet(maxAge: Int) -> FetchedDocument {
        document(#"{"keys":[{"kid":"one"}]}"#, ("cache-control", "public, max-age=\(maxAge)"))
    }
}
