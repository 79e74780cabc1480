/// The state of a notification's push.
package enum PushTrace {
    case waiting
    /// The push was accepted.
    case shown(PushMark)
}
