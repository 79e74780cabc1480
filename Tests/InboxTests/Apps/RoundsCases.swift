/// The golf rounds app: every type, as its flow describes it.
enum RoundsCases {
    static let all = [
        AppCase(
            row: "T1.1", event: "round_requested", list: "host", actor: john, data: round,
            inApp: """
                {"type": "ROUND_REQUEST", "displayText": "John requested to join your round", "actor": \(john),
                 "deepLink": {"type": "round", "roundId": "r7", "show": "requests", "actorId": "u1"},
                 "title": "John requested to join your round", "preview": "Saturday Nine at Pebble Beach",
                 "cta": {"label": "View", "action": "openRequests"},
                 "style": {"icon": "person", "color": "green"}, "category": "requests", "group": "requests:r7"}
                """,
            push: """
                {"title": "John requested to join your round", "body": "Saturday Nine at Pebble Beach",
                 "group": "requests:r7", "data": {"type": "ROUND_REQUEST", "roundId": "r7", "show": "requests"}}
                """),
        AppCase(
            row: "T1.2", event: "request_accepted", list: "requester", actor: sarah, data: round,
            inApp: """
                {"type": "REQUEST_ACCEPTED", "displayText": "Sarah accepted your request", "actor": \(sarah),
                 "deepLink": {"type": "round", "roundId": "r7", "show": null, "actorId": "u2"},
                 "title": "Sarah accepted your request", "preview": "Saturday Nine at Pebble Beach on Jul 4, 2025",
                 "cta": null, "style": {"icon": "checkmark", "color": "green"}, "category": "acceptances",
                 "group": "round:r7"}
                """,
            push: """
                {"title": "Sarah accepted your request", "body": "Saturday Nine at Pebble Beach on Jul 4, 2025",
                 "group": "round:r7", "data": {"type": "REQUEST_ACCEPTED", "roundId": "r7"}}
                """),
        AppCase(
            row: "T1.3", event: "request_declined", list: "requester", actor: sarah, data: round,
            inApp: """
                {"type": "REQUEST_DECLINED", "displayText": "Sarah declined your request", "actor": \(sarah),
                 "deepLink": {"type": "round", "roundId": "r7", "show": "readOnly", "actorId": "u2"},
                 "title": "Sarah declined your request", "preview": "Saturday Nine at Pebble Beach", "cta": null,
                 "style": {"icon": "info", "color": "gray"}, "category": "system", "group": "round:r7"}
                """,
            push: """
                {"title": "Sarah declined your request", "body": "Saturday Nine at Pebble Beach", "group": "round:r7",
                 "data": {"type": "REQUEST_DECLINED", "roundId": "r7", "show": "readOnly"}}
                """),
        AppCase(
            row: "T1.4", event: "round_invited", list: "invited", actor: mike, data: round,
            inApp: """
                {"type": "ROUND_INVITATION", "displayText": "Mike invited you to a round", "actor": \(mike),
                 "deepLink": {"type": "round", "roundId": "r7", "show": "invitation", "actorId": "u3"},
                 "title": "Mike invited you to a round", "preview": "Saturday Nine at Pebble Beach on Jul 4, 2025",
                 "cta": {"label": "Respond", "action": "respond"}, "style": {"icon": "envelope", "color": "blue"},
                 "category": "invites", "group": "invitations"}
                """,
            push: """
                {"title": "Mike invited you to a round", "body": "Saturday Nine at Pebble Beach on Jul 4, 2025",
                 "group": "invitations", "data": {"type": "ROUND_INVITATION", "roundId": "r7", "show": "invitation"}}
                """),
        AppCase(
            row: "T1.5", event: "invite_accepted", list: "host", actor: john, data: round,
            inApp: """
                {"type": "INVITE_ACCEPTED", "displayText": "John accepted your invitation", "actor": \(john),
                 "deepLink": {"type": "round", "roundId": "r7", "show": null, "actorId": "u1"},
                 "title": "John accepted your invitation", "preview": "Saturday Nine", "cta": null,
                 "style": {"icon": "checkmark", "color": "green"}, "category": "acceptances", "group": "round:r7"}
                """,
            push: """
                {"title": "John accepted your invitation", "body": "Saturday Nine", "group": "round:r7",
                 "data": {"type": "INVITE_ACCEPTED", "roundId": "r7"}}
                """),
        AppCase(
            row: "T1.6", event: "member_joined", list: "host", actor: john, data: round,
            inApp: """
                {"type": "MEMBER_JOINED", "displayText": "John joined your round", "actor": \(john),
                 "deepLink": {"type": "round", "roundId": "r7", "show": null, "actorId": "u1"},
                 "title": "John joined your round", "preview": "Saturday Nine - 3 of 4 spots filled", "cta": null,
                 "style": {"icon": "checkmark", "color": "green"}, "category": "acceptances", "group": "round:r7"}
                """,
            push: """
                {"title": "John joined your round", "body": "Saturday Nine - 3 of 4 spots filled", "group": "round:r7",
                 "data": {"type": "MEMBER_JOINED", "roundId": "r7"}}
                """),
        AppCase(
            row: "T1.7", event: "member_left", list: "host", actor: john, data: round,
            inApp: """
                {"type": "MEMBER_LEFT", "displayText": "John left your round", "actor": \(john),
                 "deepLink": {"type": "round", "roundId": "r7", "show": null, "actorId": "u1"},
                 "title": "John left your round", "preview": "Saturday Nine", "cta": null,
                 "style": {"icon": "info", "color": "gray"}, "category": "system", "group": "round:r7"}
                """,
            push: """
                {"title": "John left your round", "body": "Saturday Nine", "group": "round:r7",
                 "data": {"type": "MEMBER_LEFT", "roundId": "r7"}}
                """),
        AppCase(
            row: "T1.8", event: "round_canceled", list: "members", actor: sarah,
            data: #"{"round": {"id": "r7", "name": "Saturday Nine"}, "reason": "Thunderstorms all afternoon"}"#,
            inApp: canceled(preview: "Thunderstorms all afternoon"),
            push: """
                {"title": "Round canceled: Saturday Nine", "body": "Thunderstorms all afternoon", "group": "round:r7",
                 "data": {"type": "ROUND_CANCELED", "roundId": "r7", "show": "canceled"}}
                """),
        AppCase(
            row: "T1.8 without a reason", event: "round_canceled", list: "members", actor: sarah,
            data: #"{"round": {"id": "r7", "name": "Saturday Nine"}}"#, inApp: canceled(preview: ""),
            push: """
                {"title": "Round canceled: Saturday Nine", "body": "Sarah canceled the round.", "group": "round:r7",
                 "data": {"type": "ROUND_CANCELED", "roundId": "r7", "show": "canceled"}}
                """),
        AppCase(
            row: "T1.9", event: "round_time_changed", list: "members", actor: sarah, data: round,
            inApp: """
                {"type": "ROUND_TIME_CHANGED", "displayText": "Time changed for Saturday Nine", "actor": \(sarah),
                 "deepLink": {"type": "round", "roundId": "r7", "show": null, "actorId": "u2"},
                 "title": "Time changed for Saturday Nine", "preview": "New time: Jul 4, 2025 at 3:30\\u202fPM",
                 "cta": null, "style": {"icon": "info", "color": "gray"}, "category": "system", "group": "round:r7"}
                """,
            push: """
                {"title": "Time changed for Saturday Nine", "body": "New time: Jul 4, 2025 at 3:30\\u202fPM",
                 "group": "round:r7", "data": {"type": "ROUND_TIME_CHANGED", "roundId": "r7"}}
                """),
        AppCase(
            row: "T1.10", event: "new_follower", list: "followed", actor: alex,
            data: #"{"bio": "Weekend golfer,\n early riser"}"#, inApp: follower(preview: "Weekend golfer, early riser"),
            push: followerPush),
        AppCase(
            row: "T1.10 without a bio", event: "new_follower", list: "followed", actor: alex, data: "{}",
            inApp: follower(preview: ""), push: followerPush),
        AppCase(
            row: "T1.11", event: "post_upvoted", list: "author", actor: alex,
            data: #"{"post": {"id": "p9", "text": "My first hole in one!"}}"#,
            inApp: """
                {"type": "POST_UPVOTED", "displayText": "Alex upvoted your post", "actor": \(alex),
                 "deepLink": {"type": "post", "postId": "p9", "show": null, "actorId": "u4"},
                 "title": "Alex upvoted your post", "preview": "My first hole in one!", "cta": null,
                 "style": {"icon": "heart-comment", "color": "orange"}, "category": "social", "group": "upvotes"}
                """,
            push: """
                {"title": "New upvote", "body": "Alex upvoted your post", "group": "upvotes",
                 "data": {"type": "POST_UPVOTED", "postId": "p9"}}
                """),
        AppCase(
            row: "T1.12", event: "post_commented", list: "author", actor: alex,
            data: #"{"post": {"id": "p9"}, "comment": {"id": "c5", "text": "Congratulations!"}}"#,
            inApp: """
                {"type": "POST_COMMENT", "displayText": "Alex commented on your post", "actor": \(alex),
                 "deepLink": {"type": "post", "postId": "p9", "show": "comments", "commentId": "c5", "actorId": "u4"},
                 "title": "Alex commented on your post", "preview": "Congratulations!", "cta": null,
                 "style": {"icon": "heart-comment", "color": "orange"}, "category": "social", "group": "post:p9"}
                """,
            push: """
                {"title": "Alex commented on your post", "body": "Congratulations!", "group": "post:p9",
                 "data": {"type": "POST_COMMENT", "postId": "p9", "commentId": "c5", "show": "comments"}}
                """),
        AppCase(
            row: "T1.13", event: "comment_replied", list: "author", actor: mike,
            data: #"{"post": {"id": "p9"}, "comment": {"id": "c5"}, "reply": {"id": "c6", "text": "Seven iron?"}}"#,
            inApp: """
                {"type": "COMMENT_REPLY", "displayText": "Mike replied to your comment", "actor": \(mike),
                 "deepLink": {"type": "post", "postId": "p9", "show": "thread", "commentId": "c5", "replyId": "c6",
                              "actorId": "u3"},
                 "title": "Mike replied to your comment", "preview": "Seven iron?", "cta": null,
                 "style": {"icon": "heart-comment", "color": "orange"}, "category": "social", "group": "thread:c5"}
                """,
            push: """
                {"title": "Mike replied to your comment", "body": "Seven iron?", "group": "thread:c5",
                 "data": {"type": "COMMENT_REPLY", "postId": "p9", "commentId": "c5", "replyId": "c6",
                          "show": "thread"}}
                """),
    ]

    static let round = """
        {"round": {"id": "r7", "name": "Saturday Nine", "course": "Pebble Beach", "startsAt": "2025-07-04T15:30:00Z",
                   "filled": 3, "spots": 4}}
        """

    static let john = person("u1", "John")
    static let sarah = person("u2", "Sarah")
    static let mike = person("u3", "Mike")
    static let alex = person("u4", "Alex")

    private static func person(_ id: String, _ name: String) -> String {
        #"{"id": "\#(id)", "username": "\#(name.lowercased())", "firstName": "\#(name)", "avatarUrl": null}"#
    }

    private static func canceled(preview: String) -> String {
        """
        {"type": "ROUND_CANCELED", "displayText": "Round canceled: Saturday Nine", "actor": \(sarah),
         "deepLink": {"type": "round", "roundId": "r7", "show": "canceled", "actorId": "u2"},
         "title": "Round canceled: Saturday Nine", "preview": "\(preview)", "cta": null,
         "style": {"icon": "info", "color": "gray"}, "category": "system", "group": "round:r7"}
        """
    }

    private static func follower(preview: String) -> String {
        """
        {"type": "NEW_FOLLOWER", "displayText": "Alex started following you", "actor": \(alex),
         "deepLink": {"type": "profile", "userId": "u4", "actorId": "u4"},
         "title": "Alex started following you", "preview": "\(preview)", "cta": null,
         "style": {"icon": "heart-comment", "color": "orange"}, "category": "social", "group": "followers"}
        """
    }

    private static let followerPush = """
        {"title": "New follower", "body": "Alex started following you", "group": "followers",
         "data": {"type": "NEW_FOLLOWER", "userId": "u4"}}
        """
}
