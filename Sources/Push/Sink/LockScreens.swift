package import Inbox
package import JSON

/// The phones that the sink remembers: those with the latest pushes.
package struct LockScreens: Sendable {
    package struct Phone: Sendable, Hashable {
        package let provider: Device.Provider
        package let device: String

        package init(provider: Device.Provider, device: String) {
            self.provider = provider
            self.device = device
        }
    }

    private let maximumPhones: Int
    private var screens: [Phone: LockScreen] = [:]
    /// The phones; the one with the oldest last push comes first.
    private var order: [Phone] = []

    /// - Parameter maximumPhones: the most phones; the one with the oldest last push is forgotten. A push costs a
    ///   search through all of them.
    package init(maximumPhones: Int = 50) { self.maximumPhones = maximumPhones }

    package mutating func apply(_ push: ShownPush, from provider: Device.Provider, at now: Timestamp) {
        let phone = Phone(provider: provider, device: push.device)
        if let index = order.lastIndex(of: phone) {
            order.remove(at: index)
        } else if order.count == maximumPhones {
            screens[order.removeFirst()] = nil
        }
        order.append(phone)
        screens[phone, default: LockScreen()].apply(push, at: now)
    }

    package subscript(phone: Phone) -> LockScreen? { screens[phone] }

    /// The phones; the one with the newest push comes first.
    package var phones: [Phone] { order.reversed() }

    /// Writes an array of phones, each with its badge and its stacks.
    package func write(to json: inout JSONWriter) {
        json.array { json in
            for phone in order.reversed() {
                json.object { json in
                    json.member("provider", phone.provider.name)
                    json.member("device", phone.device)
                    screens[phone]?.write(to: &json)
                }
            }
        }
    }
}

extension LockScreen {
    fileprivate func write(to json: inout JSONWriter) {
        json.member("badge", badge.map(JSONValue.int) ?? .null)
        json.key("activities")
        json.array { json in
            for activity in activities {
                json.object { json in
                    json.member("event", activity.shown.event.rawValue)
                    json.member("content", .object(activity.shown.content))
                    json.member("pushes", activity.pushes)
                }
            }
        }
        json.key("stacks")
        json.array { json in
            for stack in stacks {
                json.object { json in
                    json.member("thread", stack.thread.map(JSONValue.string) ?? .null)
                    json.key("cards")
                    json.array { json in
                        for card in stack.cards { card.write(to: &json) }
                    }
                }
            }
        }
    }
}

extension LockScreen.Card {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("title", title)
            json.member("body", body)
            json.member("collapseID", collapseID.map(JSONValue.string) ?? .null)
            json.member("data", .object(data))
            json.member("at", at.milliseconds)
            json.member("pushes", pushes)
        }
    }
}
