import Inbox
package import Store

/// What a publication will ask about the people whom it names.
extension PublishWriter {
    /// - Parameter people: gets the named people of each event that is delivered at once.
    package func gatherPeople(of publication: Publication, into people: inout ExpectedPeople) {
        var isNew = true
        for entry in publication.entries {
            guard let key = entry.routed.event.key else { continue }
            isNew = self.isNew(key, of: publication.publisher, besides: &people.keys) && isNew
        }
        for entry in publication.entries {
            if entry.routed.routes.contains(where: \.list.isEverybody) { people.includeEverybody = true }
            let actor = entry.routed.event.actorAsUser
            forEachNamed(of: entry.routed) { user, _ in
                // A repeated event reaches nobody, and an event's actor gets nothing.
                if isNew, user != actor { people.recipients.append(user) } else { people.others.append(user) }
            }
        }
    }

    /// - Parameter batches: gets those that the events may grow, as far as the people's inboxes are known.
    package func gatherBatches(
        of publication: Publication, into batches: inout [(inbox: Int64, key: String)]
    ) throws {
        for entry in publication.entries where entry.routed.routes.contains(where: { $0.type.batchWindow != nil }) {
            try forEachNamed(of: entry.routed) { user, route in
                let key = route.type.batchKey(for: entry.routed.event, own: route.list.own[user])
                guard let key, let inbox = try open.knownInbox(of: user) else { return }
                batches.append((inbox.id, key))
            }
        }
    }

    /// Nobody of an event for everybody, and of one that is delivered page by page.
    private func forEachNamed(
        of routed: RoutedEvent, _ body: (UserID, RoutedEvent.Route) throws -> Void
    ) rethrows {
        let count = routed.routes.reduce(0) { $0 + $1.list.users.count }
        guard count <= open.options.recipientsPerPage, !routed.routes.contains(where: \.list.isEverybody) else {
            return
        }
        for route in routed.routes { for user in route.list.users { try body(user, route) } }
    }

    /// Whether nobody has used the key before. One that is not looked up yet may have been used.
    private func isNew(_ key: String, of publisher: String, besides seen: inout Set<EventKey>) -> Bool {
        let name = EventKey(key, of: publisher)
        guard seen.insert(name).inserted, let knownKeys, !knownKeys.contains(name) else { return false }
        return open.trail.use(of: key, by: publisher) == nil
    }
}
