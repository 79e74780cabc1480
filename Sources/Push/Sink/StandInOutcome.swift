/// A judged request: the reply, and the view of phones if it was accepted.
package struct StandInOutcome: Sendable {
    package let reply: PushReply
    package let shown: [ShownPush]

    package init(reply: PushReply, shown: [ShownPush] = []) {
        self.reply = reply
        self.shown = shown
    }
}
