import Store
package import Transport

/// A node without its listeners: sessions, services and pushes, and the effects of each commit. The ``Server`` adds
/// listeners, files and operators.
package struct NodeCore: Sendable {
    package let node: Node
    package let shards: ShardGroup
    package let hub: LiveHub
    package let dispatcher: PushDispatcher
    let broadcaster: Broadcaster
    let reloads: Reloads
    /// Nil for a node whose questions end when somebody asks.
    let questions: QuestionSettler?

    /// A node without certificates, whose questions end when somebody asks.
    package init(_ node: Node, on shards: ShardGroup, dispatcher: PushDispatcher) {
        self.init(node, on: shards, dispatcher: dispatcher, questions: nil, certificates: [])
    }

    /// - Parameter certificates: what is read again of them beside the node's own files.
    init(
        _ node: Node, on shards: ShardGroup, dispatcher: PushDispatcher, questions: QuestionSettler?,
        certificates: [Certificate]
    ) {
        self.questions = questions
        (self.node, self.shards, self.dispatcher) = (node, shards, dispatcher)
        hub = LiveHub(shards: shards.shards, node: node)
        broadcaster = Broadcaster(node: node)
        reloads = Reloads(node: node, hub: hub, dispatcher: dispatcher, certificates: certificates)
    }

    /// Begins to hear of commits. To be called once, before anything is written.
    package func hearCommits() {
        let written: @Sendable (Commit) -> Void = {
            [
                hub, questions, metrics = node.metrics, failures = node.storeFailures, tracer = node.tracer,
                webhooks = node.webhooks, activities = node.activities, now = node.now
            ] commit in
            metrics.commits.add()
            metrics.pushesSaved.add(commit.savedPushes)
            metrics.seenMeter.committed(commit, at: now())
            failures?.committed()
            metrics.changed(commit.inboxes)
            tracer?.committed(commit)
            webhooks?.committed(commit)
            activities?.committed(commit)
            questions?.committed(commit)
            hub.written(commit)
        }
        let tell: @Sendable (Commit) -> Void = {
            [
                hub, dispatcher, metrics = node.metrics, waits = node.answerWaits, revoked = node.authenticator.revoked
            ] commit in
            // Before sessions end: their clients may come back at once.
            revoked.forget(commit.erased)
            revoked.add(commit.revoked)
            hub.deliver(commit)
            waits.tell(commit)
            metrics.forget(commit.erased)
            for (provider, due) in commit.nextPushDue { dispatcher.expect(due, for: provider) }
        }
        node.store.onCommit(written, tell: tell) { [shards] announce in shards.postTogether(announce) }
        node.store.onQuestion { [hub, revoked = node.authenticator.revoked] question, reply in
            // Before the other node answers its caller. The commit may come later.
            if case .revoke(let revocation) = question { revoked.add([revocation]) }
            hub.answer(question, reply)
        }
        node.store.onDuty { [dispatcher, broadcaster, questions] in
            dispatcher.expectAny()
            broadcaster.look()
            questions?.onDuty()
        }
    }

    /// Goes on with the work that an earlier process has left.
    package func resume() {
        broadcaster.look()
        dispatcher.expectAny()
        questions?.start()
    }

    var publishingService: PublishingService {
        PublishingService(node: node, hub: hub, dispatcher: dispatcher, broadcaster: broadcaster, reloads: reloads)
    }
}
