/// What a client does after its live connection has closed.
package enum LiveCloseAdvice: Sendable, Hashable {
    /// Trying again cannot help before a person or a program changes something.
    case stop
    /// Try again after growing, jittered delays.
    case backOff
    /// Try again at once, or after the delay that a `drain` frame told.
    case comeBackNow

    /// Also for codes that are not known yet: the hundred decides.
    package init(closeCode: UInt16) {
        switch closeCode {
        case 4000...4099: self = .stop
        case 4200...4299: self = .comeBackNow
        // RFC 6455 §7.4.1: both sides understand the protocol differently, and will do so again.
        case 1002, 1003, 1007...1010: self = .stop
        default: self = .backOff
        }
    }
}
