package import Transport

/// How a server gets its sockets and its data, beside the settings.
package struct StartOptions: Sendable {
    /// Whether another process is expected to leave: the server waits for its data folder.
    package var takesOver = false
    /// Whether the public listener has the demo, and a sink replaces push services that are not set up.
    package var hasDemo = false
    /// Open sockets that were passed to the process, in place of those in the settings.
    package var publicSocket: ListeningSocket?
    package var publishSocket: ListeningSocket?
    package var remotePublishSocket: ListeningSocket?
    package var opsSocket: ListeningSocket?

    /// Log lines that could not be written.
    package var droppedLogLines = Counter()

    package init() {}

    /// Takes the sockets by their names: `public`, `publish`, `publish-remote` and `ops`.
    ///
    /// - Throws: ``ServerError`` for an unknown or repeated name.
    package init(_ inherited: [InheritedSocket]) throws(ServerError) {
        for entry in inherited {
            let place: WritableKeyPath<StartOptions, ListeningSocket?>
            switch entry.name {
            case "public": place = \.publicSocket
            case "publish": place = \.publishSocket
            case "publish-remote": place = \.remotePublishSocket
            case "ops": place = \.opsSocket
            case let name:
                throw ServerError(
                    "a socket named \"\(name)\" was passed to this process: expected FileDescriptorName=public, "
                        + "publish, publish-remote or ops")
            }
            guard self[keyPath: place] == nil else {
                throw ServerError("two sockets named \"\(entry.name)\" were passed to this process: expected one")
            }
            self[keyPath: place] = entry.socket
        }
    }
}
