/// A socket that the service manager has opened.
package struct InheritedSocket: Sendable {
    /// What its unit calls it (`FileDescriptorName=`).
    package let name: String
    package let socket: ListeningSocket
}
