/// The posts app: its three pushes, and what stands in the list for them.
enum PostsCases {
    static let all = [
        AppCase(
            row: "T3.2", event: "post_created", list: "matched", actor: ada, data: post,
            own: #"{"queries": [{"id": "q3", "title": "Analytical engines"}, {"id": "q8", "title": "Poetry"}]}"#,
            inApp: """
                {"type": "NEW_MATCH", "displayText": "'Analytical engines' matched a post from Ada Lovelace",
                 "actor": \(ada), "deepLink": {"type": "post", "postId": "p42", "actorId": "u1"},
                 "queries": [{"id": "q3", "title": "Analytical engines"}, {"id": "q8", "title": "Poetry"}],
                 "category": "matches", "group": "posts"}
                """,
            push: """
                {"title": "New match", "body": "'Analytical engines' matched a post from Ada Lovelace",
                 "group": "posts",
                 "data": {"type": "NEW_MATCH", "postId": "p42", "queryId": "q3", "queryIds": "q3,q8"}}
                """),
        AppCase(
            row: "T3.3", event: "post_created", list: "everyone", actor: ada, data: post,
            inApp: """
                {"type": "NEW_POST", "displayText": "New post from Ada Lovelace", "actor": \(ada),
                 "deepLink": {"type": "post", "postId": "p42", "actorId": "u1"}, "category": "posts", "group": "posts"}
                """,
            push: """
                {"title": "New post", "body": "New post from Ada Lovelace", "group": "posts",
                 "data": {"type": "NEW_POST", "postId": "p42"}}
                """),
        AppCase(
            row: "T3.4", event: "profile_completed", list: "everyone", actor: ada, data: "{}",
            inApp: """
                {"type": "NEW_MEMBER", "displayText": "Ada Lovelace just joined", "actor": \(ada),
                 "deepLink": {"type": "profile", "userId": "u1", "actorId": "u1"}, "category": "members",
                 "group": "members"}
                """,
            push: """
                {"title": "New member", "body": "Ada Lovelace just joined", "group": "members",
                 "data": {"type": "NEW_MEMBER", "userId": "u1"}}
                """),
    ]

    static let ada = #"{"id": "u1", "name": "Ada Lovelace", "avatarUrl": null}"#
    static let post = #"{"post": {"id": "p42"}}"#
}
