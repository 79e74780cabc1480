package import Transport

extension SinkFolder {
    /// The environment variables that point a server at a sink which listens at `address`.
    ///
    /// Writes the files that they name, if those contain the address.
    package func variables(
        for address: SocketAddress, of services: PushServices = .standard
    ) throws -> [(name: String, value: String)] {
        let base = Self.baseURL(of: address)
        return try services.all.flatMap { try $0.sinkVariables(self, base: base) }
    }

    /// The URL by which this machine reaches a sink that listens at `address`.
    static func baseURL(of address: SocketAddress) -> String {
        // The certificate is for this machine's own names, and "any address" cannot be connected to.
        if case .tcp(let host, let port) = address, ["", "0.0.0.0", "::"].contains(host) {
            return "https://localhost:\(port)"
        }
        return "https://\(address)"
    }

    /// The origins under which a sink can be reached.
    static func origins(of address: SocketAddress) -> Set<String> {
        guard case .tcp(_, let port) = address else { return [] }
        return [
            baseURL(of: address), "https://localhost:\(port)", "https://127.0.0.1:\(port)", "https://[::1]:\(port)",
        ]
    }
}
