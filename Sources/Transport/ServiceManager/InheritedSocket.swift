/// A socket that the service manager has opened.
package struct InheritedSocket: Sendable {
    /// The name of the socket in its unit (`FileDescriptorName=`).
    package let name: String
    package let socket: ListeningSocket
}
