/// How long a connection that ends may take.
enum ConnectionTimeouts {
    /// How long a peer may take for the last bytes: as long as one may rest between requests.
    static let finish = Duration.seconds(60)
    /// How long to wait for the peer's own close; most answer at once, and the others have had theirs.
    static let linger = Duration.seconds(2)
}
