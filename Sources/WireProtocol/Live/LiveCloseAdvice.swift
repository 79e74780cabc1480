/// A client's next step after its live connection has closed.
package enum LiveCloseAdvice: Sendable, Hashable {
    /// A retry cannot help until a person or a program changes something.
    case stop
    /// Try again after growing, jittered delays.
    case backOff
    /// Connect again at once, or after the delay of a `drain` frame.
    case comeBackNow

    /// Works for unknown codes too: the hundred decides.
    package init(closeCode: UInt16) {
        switch closeCode {
        case 4000...4099: self = .stop
        case 4200...4299: self = .comeBackNow
        // RFC 6455 §7.4.1: the two sides disagree about the protocol, and a retry would not change that.
        case 1002, 1003, 1007...1010: self = .stop
        default: self = .backOff
        }
    }
}
