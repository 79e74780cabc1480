/// Judges requests as one provider's service does, so that a sender can be tried without it.
///
/// Faults are not its business: a ``SinkScript`` decides on them before. What needs keys or the time (signatures, ages
/// of tokens) is checked outside and handed in.
package protocol ProviderStandIn: Sendable {
    /// The address of the device that a request is for, as in ``Device/token``; nil if it names none, or no single one.
    func device(of request: SinkRequest) -> String?

    /// The service's answer, and what phones show of it.
    ///
    /// - Parameter id: a fresh UUID in lower case, for services that name each message.
    func receive(_ request: SinkRequest, credential: CredentialCheck, id: String) -> StandInOutcome

    /// A scripted answer in this service's form.
    func reply(_ answer: SinkFault.Answer, to request: SinkRequest, id: String) -> PushReply
}
