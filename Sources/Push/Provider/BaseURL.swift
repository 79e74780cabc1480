/// The address of a service, or of what takes its place.
enum BaseURL {
    /// Scheme and host without a slash at the end.
    static func text(_ endpoint: String?, orElse real: String) -> String {
        guard var endpoint else { return real }
        while endpoint.hasSuffix("/") { endpoint.removeLast() }
        return endpoint
    }
}
