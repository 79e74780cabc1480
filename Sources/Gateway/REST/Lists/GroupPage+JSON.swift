import Inbox
import JSON
import Store
import WireProtocol

extension GroupPage {
    /// The answer of `GET /api/notifications/groups`.
    func response(limit: Int) -> HTTPResponse {
        .object { json in
            json.key("data")
            json.array { json in
                for group in groups { group.write(to: &json) }
            }
            json.key("meta")
            json.object { json in
                json.member("limit", limit)
                json.member("hasMore", hasMore)
                json.member("epoch", state.epoch)
                json.member("seq", state.seq)
                json.member("unread", state.unread)
                json.member("unseen", state.unseen)
            }
        }
    }
}

extension NotificationGroup {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("group", group.map(JSONValue.string) ?? .null)
            json.member("text", text)
            json.member("count", count)
            json.member("unreadCount", unreadCount)
            json.key("latest")
            latest.write(to: &json)
        }
    }
}
