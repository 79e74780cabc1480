import Push

/// A connection's reaction to one request.
enum SinkDecision {
    case answer(PushReply)
    case answerLater(PushReply, Duration)
    /// No answer, ever.
    case silence
    case reset
    case refuse
    /// No request is taken from this one on.
    case goAwayBefore
    /// This request is the last one.
    case goAwayAfter(PushReply)
    case drop

    /// The sender's answer; nil for none.
    var reply: PushReply? {
        switch self {
        case .answer(let reply), .answerLater(let reply, _), .goAwayAfter(let reply): reply
        case .silence, .reset, .refuse, .goAwayBefore, .drop: nil
        }
    }
}
