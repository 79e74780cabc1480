/// Judges requests as one provider's service does, so that a sender can be tested without it.
///
/// A ``SinkScript`` decides on faults before. Checks that need keys or the time (signatures, ages of tokens) are made
/// outside and passed in.
package protocol ProviderStandIn: Sendable {
    /// The address of a request's device, in the form of ``Device/token``; nil unless the request names exactly one.
    func device(of request: SinkRequest) -> String?

    /// The service's reply, and the pushes that phones show.
    ///
    /// - Parameter id: a new UUID in lower case, for services that name each message.
    func receive(_ request: SinkRequest, credential: CredentialCheck, id: String) -> StandInOutcome

    /// A scripted answer in this service's form.
    func reply(_ answer: SinkFault.Answer, to request: SinkRequest, id: String) -> PushReply
}
