/// The result of checking a request's credential.
package enum CredentialCheck: Sendable, Hashable {
    case valid, missing, expired, invalid
}
