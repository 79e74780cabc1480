import Transport

extension Settings {
    /// The path of the publishers' socket, if it fits into a socket's address.
    package func usableSocketPath() throws(SettingsProblem) -> String {
        let (path, most) = (socketPath, SocketAddress.maximumPathBytes)
        guard path.utf8.count > most else { return path }
        throw SettingsProblem(
            place: SettingPlace("settings"), key: "socket",
            reason: "expected a path of at most \(most) bytes; \(path) has \(path.utf8.count). Without the setting it "
                + "is belfry.sock in the data folder: set socket, BELFRY_SOCKET or --socket to a shorter one")
    }
}
