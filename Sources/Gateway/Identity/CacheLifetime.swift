import Inbox
import Push

/// How long an answer is fresh by its own headers (RFC 9111 §4.2).
enum CacheLifetime {
    /// For an answer that says nothing.
    static let usual = Duration.seconds(300)

    /// - Parameter headers: names in lower case.
    static func of(_ headers: [(name: String, value: String)]) -> Duration {
        func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }
        // A list may be spread over several headers.
        let directives = headers.filter { $0.name == "cache-control" }
            .flatMap { $0.value.lowercased().split(separator: ",") }
            .map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
        if directives.contains("no-cache") || directives.contains("no-store") { return .zero }
        if let age = directives.first(where: { $0.hasPrefix("max-age=") }) {
            let spent = value("age").flatMap { Int32($0) } ?? 0
            return .seconds(max(Int(Int32(age.dropFirst(8)) ?? 0) - Int(max(spent, 0)), 0))
        }
        guard let expires = value("expires") else { return usual }
        // Both dates are the provider's: its clock may be another one. §5.3: a date that cannot be read is past.
        guard let end = Timestamp(httpDate: expires), let start = value("date").flatMap({ Timestamp(httpDate: $0) })
        else { return .zero }
        return max(.milliseconds(end.milliseconds - start.milliseconds), .zero)
    }
}
