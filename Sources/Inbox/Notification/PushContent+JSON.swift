package import JSON

extension PushContent {
    /// The stored form: `{"title":…,"body":…,"group":…,"urgency":"normal","badge":"unread","data":{…}}`, and all other
    /// values that differ from the defaults.
    package var encoded: [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.member("title", title)
            json.member("body", body)
            json.key("group")
            Self.write(group, to: &json)
            json.member("urgency", urgency.rawValue)
            json.member("badge", badge.rawValue)
            json.key("data")
            json.object { $0.members(of: data) }
            if !app.isEmpty { json.member("app", app) }
            if sound != Self.usualSound {
                json.key("sound")
                Self.write(sound, to: &json)
            }
            if let growthSound { json.member("growthSound", growthSound) }
            if let image { json.member("image", image) }
            if let actions { json.member("actions", actions) }
            if !answers.isEmpty { json.member("answers", .array(answers.map(\.json))) }
            if let replaceKey { json.member("replaceKey", replaceKey) }
            if isMutable { json.member("isMutable", true) }
            if wakesApp { json.member("wakesApp", true) }
            if let summary {
                json.key("summary")
                summary.write(to: &json)
            }
            if let digest {
                json.key("digest")
                digest.write(to: &json)
            }
            if let groupText {
                json.key("groupText")
                groupText.write(to: &json)
            }
            if let bodyMaximum { json.member("bodyMaximum", Int64(bodyMaximum)) }
            if terms != PushTerms() {
                json.key("terms")
                terms.write(to: &json)
            }
        }
        return json.bytes
    }

    private static func write(_ text: String?, to json: inout JSONWriter) {
        if let text { json.value(text) } else { json.null() }
    }

    /// Reads what ``encoded`` wrote; nil for anything else.
    package init?(json: JSONValue) {
        guard let object = json.object,
            let title = object["title"]?.string, let body = object["body"]?.string,
            let urgency = object["urgency"]?.string.flatMap(PushPolicy.Urgency.init(rawValue:)),
            let badge = object["badge"]?.string.flatMap(BadgeRule.init(rawValue:)),
            let data = object["data"]?.object
        else { return nil }
        self.init(
            title: title, body: body, group: object["group"]?.string, urgency: urgency, badge: badge, data: data,
            app: object["app"]?.string ?? "", sound: object["sound"].map(\.string) ?? Self.usualSound,
            growthSound: object["growthSound"]?.string, image: object["image"]?.string,
            actions: object["actions"]?.string, answers: object["answers"].map(Question.Action.all) ?? [],
            replaceKey: object["replaceKey"]?.string, isMutable: object["isMutable"]?.bool ?? false,
            wakesApp: object["wakesApp"]?.bool ?? false, summary: object["summary"].flatMap(Summary.init(json:)),
            digest: object["digest"].flatMap(Summary.init(json:)),
            groupText: object["groupText"].flatMap(CountedText.init(json:)),
            bodyMaximum: object["bodyMaximum"]?.int.map(Int.init(clamping:)),
            terms: object["terms"].flatMap(PushTerms.init(json:)) ?? PushTerms())
    }

    private static let usualSound: String? = "default"
}

extension PushContent.Summary {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("title")
            title.write(to: &json)
            json.key("body")
            body.write(to: &json)
        }
    }

    fileprivate init?(json: JSONValue) {
        guard let title = json.at(["title"]).flatMap(CountedText.init(json:)),
            let body = json.at(["body"]).flatMap(CountedText.init(json:))
        else { return nil }
        self.init(title: title, body: body)
    }
}
