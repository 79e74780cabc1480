import Transport

/// The terms on which publishers on other machines connect, the same on every shard.
struct PublishingEdge: Sendable {
    let admission: Admission
    /// Nil without encryption.
    let tls: TLSServer?
    private let limits: HTTPLimits
    // Of its own: nobody elsewhere takes room from the publishers of this machine.
    private let bodies = BodyRoom()
    private let answers = BodyRoom()

    /// Nil if the settings open no such listener.
    ///
    /// - Parameter edge: its certificate is used if the settings name no other.
    /// - Throws: a problem with the certificate or its key.
    init?(_ settings: Settings, beside edge: Edge) throws {
        let publishing = settings.publishing
        guard publishing.listen != nil else { return nil }
        var own = settings.tls
        (own.certificateFile, own.keyFile) = (publishing.certificateFile, publishing.keyFile)
        tls = try TLSServerSettings(own).map(TLSServer.init) ?? edge.tls
        let all = DescriptorLimit.connections(of: DescriptorLimit.current)
        admission = Admission(AdmissionLimits(connections: min(publishing.connections, max(1, all / 4))))
        limits = HTTPLimits(settings.limits)
    }

    func endpoint(_ service: any HTTPService) -> HTTPEndpoint {
        HTTPEndpoint(service, limits: limits, tls: tls, admission: admission, bodies: bodies, answers: answers)
    }
}
