/// Why a request to a push service got no reply.
package struct NoAnswer: Error, Hashable {
    /// For people and for logs: holds no address of a device, no key and no text of a push.
    package let reason: String

    package init(reason: String) { self.reason = reason }
}
