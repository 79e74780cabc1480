/// Time limits for the end of a connection.
enum ConnectionTimeouts {
    /// How long a peer may take for the last bytes: as long as a connection may be idle between requests.
    static let finish = Duration.seconds(60)
    /// How long to wait for the peer's own close; most peers close at once.
    static let linger = Duration.seconds(2)
}
