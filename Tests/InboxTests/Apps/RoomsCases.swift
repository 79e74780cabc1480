/// The photo rooms app's pushes, of every type; its list has samples of its own.
enum RoomsCases {
    static let pushes = [
        push("T2.1", "room_created", "participants", pete, "{\(room)}", "New Room", "Pete created a new room with you"),
        push(
            "T2.2", "room_renamed", "participants", pete,
            #"{"room": {"id": "r1", "name": "Italian Vacation"}, "oldName": "Italy", "newName": "Italian Vacation"}"#,
            "Room Renamed", "Pete renamed your room to Italian Vacation", data: #", "roomName": "Italian Vacation""#),
        push(
            "T2.3", "element_added", "participants", pete, #"{\#(room), "elements": [{"kind": "photo"}]}"#,
            "New Content", "Pete added a photo in Italian Vacation", data: #", "elementType": "photo""#),
        push(
            "T0.1", "added_to_room", "added", pete, "{\(room)}", "Italian Vacation", "Pete added you to the room"),
        push(
            "T0.4", "removed_from_room", "removed", pete, "{\(room)}", "Italian Vacation",
            "Pete removed you from the room"),
        push(
            "T0.5", "room_deleted", "participants", pete, "{\(room)}", "Italian Vacation", "Pete deleted the room"),
        push("T0.6", "participant_left", "owner", pete, "{\(room)}", "Italian Vacation", "Pete left the room"),
        push(
            "T0.7", "room_liked", "owner", pete, "{\(room)}", "Italian Vacation", "Pete liked your room",
            type: "room_like"),
        push(
            "T0.8", "comment_added", "participants", pete, comment, "Italian Vacation", "Pete: Great idea!",
            data: #", "commentId": "42""#),
        push(
            "T0.9", "comment_added", "mentioned", pete, comment, "Italian Vacation",
            "Pete mentioned you: Great idea!", type: "mention", data: #", "commentId": "42""#),
        push(
            "T0.10", "comment_liked", "author", pete, comment, "Italian Vacation",
            "Pete liked your comment: Great idea!", type: "comment_like", data: #", "commentId": "42""#),
        AppCase(
            row: "T0.11", event: "user_followed", list: "followed", actor: pete, data: #"{"isFollowingBack": false}"#,
            inApp: "{}",
            push: """
                {"title": "Rooms", "body": "Pete started following you",
                 "data": {"type": "user_followed", "actorId": "user-123"}}
                """),
    ]

    private static let pete = #"{"id": "user-123", "username": "pete", "firstName": "Pete", "avatarUrl": null}"#
    private static let room = #""room": {"id": "r1", "name": "Italian Vacation"}"#
    private static let comment = #"{\#(room), "comment": {"id": "42", "text": "Great idea!"}}"#

    /// - Parameter data: more members of the push's data, behind a comma.
    private static func push(
        _ row: String, _ event: String, _ list: String, _ actor: String, _ eventData: String, _ title: String,
        _ body: String, type: String? = nil, data: String = ""
    ) -> AppCase {
        AppCase(
            row: row, event: event, list: list, actor: actor, data: eventData, inApp: "{}",
            push: """
                {"title": "\(title)", "body": "\(body)", "group": "room:r1",
                 "data": {"type": "\(type ?? event)", "roomId": "r1"\(data)}}
                """)
    }
}
