/// Why a frame of the client was not carried out, or a subscription ended: stable, for programs.
package enum LiveErrorCode: String, CaseIterable, Sendable {
    // The frame
    case invalidJSON = "invalid_json"
    case notAnObject = "not_an_object"
    case missingField = "missing_field"
    case wrongType = "wrong_type"
    case invalidValue = "invalid_value"
    case frameTooLarge = "frame_too_large"
    case unknownType = "unknown_type"
    case helloExpected = "hello_expected"
    case helloRepeated = "hello_repeated"
    // Acknowledgements
    case notTold = "not_told"
    case otherEpoch = "other_epoch"
    case notReady = "not_ready"
    // Answers
    case unknownNotification = "unknown_notification"
    case asksNothing = "asks_nothing"
    case unknownAction = "unknown_action"
    case alreadyAnswered = "already_answered"
    case tooLate = "too_late"
    // Feeds
    case tooManyFeeds = "too_many_feeds"
    case feedRefused = "feed_refused"
    case feedChanged = "feed_changed"
    // Tokens
    case tokenMalformed = "token_malformed"
    case algorithmNotAllowed = "algorithm_not_allowed"
    case unknownKey = "unknown_key"
    case badSignature = "bad_signature"
    case tokenExpired = "token_expired"
    case tokenRevoked = "token_revoked"
    case missingExpiry = "missing_expiry"
    case tokenNotYetValid = "token_not_yet_valid"
    case wrongAudience = "wrong_audience"
    case wrongIssuer = "wrong_issuer"
    case missingUser = "missing_user"
    case invalidUser = "invalid_user"
    case otherUser = "other_user"
    case keysPending = "keys_pending"
    // The store
    case overloaded
    case leaving
    case storeFailed = "store_failed"
    case storeDamaged = "store_damaged"
    case diskFull = "disk_full"

    /// What the code means: the `message` of an `error` frame that has nothing more to say.
    package var meaning: String {
        switch self {
        case .invalidJSON: "the frame is not JSON"
        case .notAnObject: "the frame is not a JSON object"
        case .missingField: "a field of the frame is missing"
        case .wrongType: "a field of the frame has another type than expected"
        case .invalidValue: "a field of the frame has a value that is not allowed"
        case .frameTooLarge: "the frame has more bytes than limits.frameBytes of ready: send several"
        case .unknownType: "no frame of this type is known"
        case .helloExpected: "the first frame must be hello"
        case .helloRepeated: "hello may be sent once"
        case .notTold: "seq is beyond the changes that this session was sent"
        case .otherEpoch: "the seq is of another epoch than ready"
        case .notReady: "too many acks came before ready: send it again after ready"
        case .unknownNotification: "this person has no such notification, or no longer"
        case .asksNothing: "the notification asks nothing"
        case .unknownAction: "the notification's question has no such action"
        case .alreadyAnswered: "the question was answered before, and the first answer stands"
        case .tooLate: "the time to answer has ended"
        case .tooManyFeeds: "the session follows as many feeds as it may: unsubscribe from a feed first"
        case .feedRefused: "this feed is not open to the token's user"
        case .feedChanged: "the feed no longer keeps its items, or keeps them from now on: subscribe again"
        case .tokenMalformed:
            "the token is not a well-formed JSON Web Token; a header has it as `Authorization: Bearer <token>`"
        case .algorithmNotAllowed: "the token's algorithm is not allowed, or is not that of the key it names"
        case .unknownKey: "no key is known for this token"
        case .badSignature: "the token's signature is not valid"
        case .tokenExpired: "the token has expired"
        case .tokenRevoked: "the token was revoked, as all that this user had at a time"
        case .missingExpiry: "the token has no expiry (exp)"
        case .tokenNotYetValid: "the token is not valid yet (nbf)"
        case .wrongAudience: "the token is for another audience (aud)"
        case .wrongIssuer: "the token is from another issuer (iss)"
        case .missingUser: "the token names no user"
        case .invalidUser:
            "the user id in the token has no visible character, or has control or direction characters"
        case .otherUser: "the token is another user's"
        case .keysPending: "the keys of the token's issuer are not known yet: try again in some seconds"
        case .overloaded: "too much waits to be stored: nothing was changed"
        case .leaving: "the server is leaving: send it again on the next connection"
        case .storeFailed: "nothing was changed; the server's log has the reason"
        case .storeDamaged: "the store is damaged and accepts no more writes"
        case .diskFull: "the disk is full, and nothing was changed"
        }
    }

    /// Whether the same frame may succeed later.
    package var isTemporary: Bool {
        switch self {
        case .notTold, .otherEpoch, .notReady, .keysPending, .overloaded, .leaving, .storeFailed, .storeDamaged,
            .diskFull:
            true
        case .invalidJSON, .notAnObject, .missingField, .wrongType, .invalidValue, .frameTooLarge, .unknownType,
            .helloExpected, .helloRepeated, .unknownNotification, .asksNothing, .unknownAction, .alreadyAnswered,
            .tooLate, .tooManyFeeds, .feedRefused, .feedChanged, .tokenMalformed,
            .algorithmNotAllowed, .unknownKey, .badSignature, .tokenExpired, .tokenRevoked, .missingExpiry,
            .tokenNotYetValid,
            .wrongAudience, .wrongIssuer, .missingUser, .invalidUser, .otherUser:
            false
        }
    }

    /// How the connection ends; nil if it stays. Bytes that are no JSON object show another protocol; a wrong field
    /// concerns only its frame.
    package var close: LiveCloseCode? {
        switch self {
        case .invalidJSON, .notAnObject, .helloExpected: .badFrame
        case .otherUser: .badToken
        case .missingField, .wrongType, .invalidValue, .frameTooLarge, .unknownType, .helloRepeated, .notTold,
            .otherEpoch, .notReady, .unknownNotification, .asksNothing, .unknownAction, .alreadyAnswered, .tooLate,
            .tooManyFeeds, .feedRefused, .feedChanged, .tokenMalformed, .algorithmNotAllowed,
            .unknownKey, .badSignature, .tokenExpired, .tokenRevoked, .missingExpiry, .tokenNotYetValid, .wrongAudience,
            .wrongIssuer,
            .missingUser, .invalidUser, .keysPending, .overloaded, .leaving, .storeFailed, .storeDamaged, .diskFull:
            nil
        }
    }
}
