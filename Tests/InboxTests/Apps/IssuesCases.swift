/// The restaurant issues app: its five types, with the payloads of its guide.
enum IssuesCases {
    static let all = [
        AppCase(
            row: "T4.1", event: "issue_created", list: "admins", actor: kevin,
            data: """
                {"issue": {"id": "abc123", "title": "Broken freezer compressor", "priority": "high"},
                 "restaurant": {"name": "Banana Stand"}}
                """,
            inApp: """
                {"type": "issue",
                 "displayText": "New High Priority Issue at Banana Stand: Broken freezer compressor",
                 "actor": \(kevin), "deepLink": \(link("null")),
                 "title": "New High Priority Issue", "body": "Banana Stand: Broken freezer compressor",
                 "issueId": "abc123", "issueTitle": "Broken freezer compressor", "restaurantName": "Banana Stand",
                 "priority": "high", "style": {"icon": "exclamationmark-triangle", "color": "red"},
                 "category": "issues", "group": "issue:abc123"}
                """,
            push: """
                {"title": "New High Priority Issue", "body": "Banana Stand: Broken freezer compressor",
                 "group": "issue:abc123",
                 "data": {"type": "issue", "issueId": "abc123", "issueTitle": "Broken freezer compressor",
                          "restaurantName": "Banana Stand", "priority": "high"}}
                """),
        AppCase(
            row: "T4.2", event: "work_updated", list: "owner", actor: kevin,
            data: """
                {"issue": {"id": "abc123", "title": "Broken freezer compressor"}, "updateType": "work_log",
                 "restaurant": {"name": "Banana Stand"}}
                """,
            inApp: """
                {"type": "work_update", "displayText": "Kevin Admin posted an update on 'Broken freezer compressor'",
                 "actor": \(kevin), "deepLink": \(link("null")),
                 "title": "New Update: Banana Stand", "body": "Kevin Admin posted an update on 'Broken freezer...'",
                 "issueId": "abc123", "issueTitle": "Broken freezer compressor", "updateType": "work_log",
                 "updatedBy": "Kevin Admin", "style": {"icon": "wrench", "color": "blue"}, "category": "work",
                 "group": "issue:abc123"}
                """,
            push: """
                {"title": "New Update: Banana Stand", "body": "Kevin Admin posted an update on 'Broken freezer...'",
                 "group": "issue:abc123",
                 "data": {"type": "work_update", "issueId": "abc123", "issueTitle": "Broken freezer compressor",
                          "updateType": "work_log", "updatedBy": "Kevin Admin"}}
                """),
        AppCase(
            row: "T4.3", event: "message_sent", list: "participants", actor: chris,
            data: """
                {"conversation": {"id": "xyz789"}, "message": {"text": "Can you send more photos?"},
                 "issue": {"id": "abc123", "title": "Broken freezer compressor"}, "restaurant": {"name": "Banana Stand"}}
                """,
            inApp: """
                {"type": "message", "displayText": "Chris Cashion replied: Can you send more photos?",
                 "actor": \(chris),
                 "deepLink": {"type": "conversation", "conversationId": "xyz789", "actorId": "user123"},
                 "title": "Chris Cashion replied",
                 "body": "About 'Broken freezer' at Banana Stand: Can you send more photos?",
                 "conversationId": "xyz789", "senderId": "user123", "senderName": "Chris Cashion",
                 "issueId": "abc123", "issueTitle": "Broken freezer compressor",
                 "style": {"icon": "message", "color": "green"}, "category": "messages", "group": "conversation:xyz789"}
                """,
            push: """
                {"title": "Chris Cashion replied",
                 "body": "About 'Broken freezer' at Banana Stand: Can you send more photos?",
                 "group": "conversation:xyz789",
                 "data": {"type": "message", "conversationId": "xyz789", "senderId": "user123",
                          "senderName": "Chris Cashion", "issueId": "abc123", "issueTitle": "Broken freezer compressor"}}
                """),
        AppCase(
            row: "T4.3 in a general conversation", event: "message_sent", list: "participants", actor: chris,
            data: #"{"conversation": {"id": "xyz789"}, "message": {"text": "Who is in tomorrow?"}}"#,
            inApp: """
                {"type": "message", "displayText": "Chris Cashion replied: Who is in tomorrow?", "actor": \(chris),
                 "deepLink": {"type": "conversation", "conversationId": "xyz789", "actorId": "user123"},
                 "title": "Chris Cashion replied", "body": "Who is in tomorrow?", "conversationId": "xyz789",
                 "senderId": "user123", "senderName": "Chris Cashion", "issueId": null, "issueTitle": null,
                 "style": {"icon": "message", "color": "green"}, "category": "messages",
                 "group": "conversation:xyz789"}
                """,
            push: """
                {"title": "Chris Cashion replied", "body": "Who is in tomorrow?", "group": "conversation:xyz789",
                 "data": {"type": "message", "conversationId": "xyz789", "senderId": "user123",
                          "senderName": "Chris Cashion"}}
                """),
        AppCase(
            row: "T4.4", event: "receipt_status_changed", list: "participants", actor: kevin,
            data: """
                {"issue": {"id": "abc123", "title": "Broken freezer compressor"},
                 "receipt": {"id": "r1", "status": "approved"}, "restaurant": {"name": "Banana Stand"}}
                """,
            inApp: """
                {"type": "receipt_status",
                 "displayText": "The receipt for 'Broken freezer compressor' is now approved", "actor": \(kevin),
                 "deepLink": \(link(#""receipts""#)), "title": "Receipt Update: Banana Stand",
                 "body": "The receipt for 'Broken freezer compressor' is now approved", "issueId": "abc123",
                 "issueTitle": "Broken freezer compressor", "receiptId": "r1", "receiptStatus": "approved",
                 "updatedBy": "Kevin Admin", "style": {"icon": "receipt", "color": "orange"}, "category": "receipts",
                 "group": "issue:abc123"}
                """,
            push: """
                {"title": "Receipt Update: Banana Stand",
                 "body": "The receipt for 'Broken freezer compressor' is now approved", "group": "issue:abc123",
                 "data": {"type": "receipt_status", "issueId": "abc123", "issueTitle": "Broken freezer compressor",
                          "receiptId": "r1", "receiptStatus": "approved", "updatedBy": "Kevin Admin"}}
                """),
        AppCase(
            row: "T4.5", event: "issue_status_changed", list: "participants", actor: kevin,
            data: """
                {"issue": {"id": "abc123", "title": "Broken freezer compressor", "status": "in_progress"},
                 "restaurant": {"name": "Banana Stand"}}
                """,
            inApp: """
                {"type": "issue_status", "displayText": "'Broken freezer compressor' is now in progress",
                 "actor": \(kevin), "deepLink": \(link("null")), "title": "Status Update: Banana Stand",
                 "body": "'Broken freezer compressor' is now in progress", "issueId": "abc123",
                 "issueTitle": "Broken freezer compressor", "issueStatus": "in_progress", "updatedBy": "Kevin Admin",
                 "style": {"icon": "exclamationmark-triangle", "color": "red"}, "category": "issues",
                 "group": "issue:abc123"}
                """,
            push: """
                {"title": "Status Update: Banana Stand", "body": "'Broken freezer compressor' is now in progress",
                 "group": "issue:abc123",
                 "data": {"type": "issue_status", "issueId": "abc123", "issueTitle": "Broken freezer compressor",
                          "issueStatus": "in_progress", "updatedBy": "Kevin Admin"}}
                """),
    ]

    static let kevin = #"{"id": "user-2", "name": "Kevin Admin", "avatarUrl": null}"#
    static let chris = #"{"id": "user123", "name": "Chris Cashion", "avatarUrl": null}"#

    private static func link(_ tab: String) -> String {
        #"{"type": "issue", "issueId": "abc123", "tab": \#(tab), "actorId": "user-2"}"#
    }
}
