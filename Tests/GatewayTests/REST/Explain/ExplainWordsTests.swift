import Inbox
import Push
import Testing

@testable import Gateway

struct ExplainWordsTests {
    @Test(
        arguments: [
            (
                .created(.queued(devices: 1, due: Timestamp(milliseconds: 0), hold: .none)),
                "It came into your inbox. A push to your device was planned at once."
            ),
            (
                .created(.queued(devices: 2, due: Timestamp(milliseconds: 0), hold: .grace)),
                "It came into your inbox. A push to your 2 devices was planned in case that you did not see it here first."
            ),
            (
                .created(.queued(devices: 1, due: Timestamp(milliseconds: 0), hold: .quietHours)),
                "It came into your inbox. A push to your device was planned for the end of your quiet hours."
            ),
            (
                .created(.preferenceOff(.type)),
                "It came into your inbox. It has no push: you have switched its kind off."
            ),
            (
                .created(.preferenceOff(.app)),
                "It came into your inbox. It has no push: it is off until you switch it on."
            ),
            (.created(.noDevice), "It came into your inbox. It has no push: you have no device that shows one."),
            (
                .grew(.batched),
                "It was added to what you had not read yet. It has no push of its own: there was one for what came first."
            ),
        ] as [(TrailDecision, String)])
    func `a decision is a sentence to the person`(_ decision: TrailDecision, _ text: String) {
        #expect(ExplainWords.text(of: decision) == text)
    }

    @Test(
        arguments: [
            (.sent, "phone", "A push went to phone."),
            (.cancelled(.acknowledged), "phone", "No push went to phone: you had it on your screen."),
            (.withdrawn(.read), "phone", "The push was taken off the screen of phone: you had read it."),
            (.dropped(.muted("room:7")), "phone", "No push went to phone: you have muted room:7 since."),
            (
                .putOff(until: Timestamp(milliseconds: 9), .snooze), "phone",
                "The push to phone waits: you have a snooze."
            ),
            (.refused(reason: "BadTopic"), "phone", "The push service of phone refused the push."),
            (.retried(.accepted), "phone", "The push to phone was sent again, and its push service took it."),
            (.retried(.gone), "phone", "The push to phone was sent again, and its push service did not take it."),
            (.shrunk, nil, "A part of it was taken back."),
        ] as [(TrailStep, String?, String)])
    func `a step is a sentence, about the device where it has one`(_ step: TrailStep, _ device: String?, _ text: String)
    {
        #expect(ExplainWords.text(of: step, on: device) == text)
    }
}
