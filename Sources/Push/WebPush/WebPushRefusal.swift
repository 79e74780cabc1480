/// Why a message cannot be sent to a browser.
package struct WebPushRefusal: Error, Sendable, Hashable {
    /// Without secrets; for ``Verdict/refused(reason:)``.
    package let reason: String
}
