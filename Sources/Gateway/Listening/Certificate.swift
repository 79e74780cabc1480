import Transport

/// A listener's certificate, which can be read again.
package struct Certificate: Sendable {
    let file: String
    let tls: TLSServer

    /// Those of all listeners, each once.
    static func all(of settings: Settings, _ edge: Edge, _ publishingEdge: PublishingEdge?) -> [Certificate] {
        let own = (settings.publishing.certificateFile, publishingEdge?.tls)
        return [(settings.tls.certificateFile, edge.tls), own].compactMap { file, tls in
            if let file, let tls { Certificate(file: file, tls: tls) } else { nil }
        }
    }
}
