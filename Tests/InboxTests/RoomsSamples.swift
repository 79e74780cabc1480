import JSON

extension Sample {
    static let all: [Sample] = [
        Sample(
            type: "ADDED_TO_ROOM", event: "added_to_room", actor: Rooms.pete, list: "added",
            data: ["room": Rooms.room("room-789", "Italy Trip 2025")],
            json: plain(
                1, "ADDED_TO_ROOM", "pete added you to the room: Italy Trip 2025", "2025-07-04T15:02:44.161Z", pete,
                room: "room-789", roomName: "Italy Trip 2025")),
        Sample(
            type: "ROOM_RENAMED", event: "room_renamed", actor: Rooms.pete, list: "participants",
            data: [
                "room": Rooms.room("room-789", "Italy Trip 2025"), "oldName": "Summer Vacation",
                "newName": "Italy Trip 2025",
            ],
            json: plain(
                2, "ROOM_RENAMED", #"pete renamed the room \"Summer Vacation\" to \"Italy Trip 2025\""#,
                "2025-07-04T15:03:31.950Z", pete, room: "room-789", roomName: "Italy Trip 2025")),
        elementAdded,
        Sample(
            type: "REMOVED_FROM_ROOM", event: "removed_from_room", actor: Rooms.pete, list: "removed",
            data: ["room": Rooms.room("room-5", "Old Project")],
            json: plain(
                4, "REMOVED_FROM_ROOM", "pete removed you from the room: Old Project", "2025-07-04T17:00:00.000Z",
                pete, room: nil, roomName: "Old Project")),
        Sample(
            type: "ROOM_DELETED", event: "room_deleted", actor: Rooms.pete, list: "participants",
            data: ["room": Rooms.room("room-5", "July 4, 2025 12:58PM")],
            json: plain(
                5, "ROOM_DELETED", "pete deleted the room July 4, 2025 12:58PM", "2025-07-04T16:59:00.589Z", pete,
                room: nil, roomName: "July 4, 2025 12:58PM")),
        Sample(
            type: "PARTICIPANT_LEFT", event: "participant_left", actor: Rooms.sarah, list: "owner",
            data: ["room": Rooms.room("room-123", "Beach House Plans")],
            json: plain(
                6, "PARTICIPANT_LEFT", "sarah left the room Beach House Plans", "2025-07-04T18:00:00.000Z", sarah,
                room: "room-123", roomName: "Beach House Plans")),
        Sample(
            type: "ROOM_LIKE", event: "room_liked", actor: Rooms.sarah, list: "owner",
            data: ["room": Rooms.room("room-456", "Vacation Planning")],
            json: plain(
                7, "ROOM_LIKE", "sarah liked your room: Vacation Planning", "2025-07-04T19:00:00.000Z", sarah,
                room: "room-456", roomName: "Vacation Planning")),
        // The guide cuts this preview at 43 characters although it allows 100: the text is fed as it was cut.
        Sample(
            type: "COMMENT_ADDED", event: "comment_added", actor: Rooms.pete, list: "participants",
            data: comment("room-789", "Italy Trip", "This looks amazing! Can't wait to visit the..."),
            json: plain(
                8, "COMMENT_ADDED",
                "pete added a comment in Italy Trip: This looks amazing! Can't wait to visit the...",
                "2025-07-04T20:00:00.000Z", pete, room: "room-789", roomName: "Italy Trip")),
        Sample(
            type: "MENTION", event: "comment_added", actor: Rooms.pete, list: "mentioned",
            data: comment("room-789", "Italy Trip", "@sarah what do you think about this location for dinner?"),
            json: plain(
                9, "MENTION", "pete mentioned you: @sarah what do you think about this location for dinner?",
                "2025-07-04T20:30:00.000Z", pete, room: "room-789", roomName: "Italy Trip")),
        Sample(
            type: "COMMENT_LIKE", event: "comment_liked", actor: Rooms.sarah, list: "author",
            data: comment("room-456", "Dinner Plans", "Great idea! Let's meet at 7pm"),
            json: plain(
                10, "COMMENT_LIKE", "sarah liked your comment: Great idea! Let's meet at 7pm",
                "2025-07-04T21:00:00.000Z", sarah, room: "room-456", roomName: "Dinner Plans")),
        userFollowed,
    ]

    private static let pete =
        #"{"id": "user-123", "username": "pete", "firstName": "Pete", "avatarUrl": "https://..."}"#
    private static let sarah =
        #"{"id": "user-789", "username": "sarah", "firstName": "Sarah", "avatarUrl": "https://..."}"#

    private static func comment(_ id: String, _ name: String, _ text: String) -> JSONObject {
        ["room": Rooms.room(id, name), "comment": ["id": "42", "text": .string(text)]]
    }

    /// The form that nine of the guide's samples share.
    private static func plain(
        _ number: Int, _ type: String, _ text: String, _ createdAt: String, _ actor: String, room: String?,
        roomName: String
    ) -> String {
        let link = room.map { #""type": "room", "roomId": "\#($0)""# } ?? #""type": "none", "roomId": null"#
        return """
            {
              "id": "notif-\(number)",
              "type": "\(type)",
              "displayText": "\(text)",
              "isRead": false,
              "createdAt": "\(createdAt)",
              "actor": \(actor),
              "deepLink": {\(link), "actorId": "\(actor == pete ? "user-123" : "user-789")"},
              "roomName": "\(roomName)",
              "thumbnails": [],
              "batchCount": 1
            }
            """
    }

    private static let images = "https://res.cloudinary.com/.../w_180,h_180,c_limit,q_auto/"

    private static let elementAdded = Sample(
        type: "ELEMENT_ADDED", event: "element_added", actor: Rooms.renee, list: "participants",
        data: [
            "room": Rooms.room("room-789", "Awesome Fun"),
            "elements": .array(
                [
                    ["kind": "photo", "thumbnailUrl": .string(images + "image1.jpg")],
                    ["kind": "photo", "thumbnailUrl": .string(images + "image2.jpg")],
                    ["kind": "video", "thumbnailUrl": .string(images + "video1_thumb.jpg")],
                ] + Array(repeating: ["kind": "photo"], count: 18)
                    + Array(repeating: ["kind": "video", "thumbnailUrl": nil], count: 2)),
        ],
        json: """
            {
              "id": "notif-003",
              "type": "ELEMENT_ADDED",
              "displayText": "renee added 20 photos and 3 videos to Awesome Fun",
              "isRead": false,
              "createdAt": "2025-07-04T16:06:19.544Z",
              "actor": {
                "id": "user-456",
                "username": "renee",
                "firstName": "Renee",
                "avatarUrl": "https://..."
              },
              "deepLink": {"type": "room", "roomId": "room-789", "actorId": "user-456"},
              "roomName": "Awesome Fun",
              "thumbnails": [
                {"url": "\(images)image1.jpg", "type": "PHOTO"},
                {"url": "\(images)image2.jpg", "type": "PHOTO"},
                {"url": "\(images)video1_thumb.jpg", "type": "VIDEO"}
              ],
              "batchCount": 23
            }
            """)

    private static let userFollowed = Sample(
        type: "USER_FOLLOWED", event: "user_followed",
        actor: ["id": "user-999", "username": "sarah", "firstName": "Sarah", "avatarUrl": "https://..."],
        list: "followed", data: ["isFollowingBack": false],
        json: """
            {
              "id": "notif-011",
              "type": "USER_FOLLOWED",
              "displayText": "sarah started following you",
              "isRead": false,
              "createdAt": "2025-07-04T10:00:00.000Z",
              "actor": {"id": "user-999", "username": "sarah", "firstName": "Sarah", "avatarUrl": "https://..."},
              "deepLink": {"type": "profile", "roomId": null, "actorId": "user-999"},
              "isFollowingBack": false,
              "thumbnails": [],
              "batchCount": 1
            }
            """)
}
