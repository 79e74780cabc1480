/// What is known about the credential that a request carries.
package enum CredentialCheck: Sendable, Hashable {
    case valid, missing, expired, invalid
}
