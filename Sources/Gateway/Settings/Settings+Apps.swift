package import Inbox
import WireProtocol

extension Settings {
    /// The apps that have settings of their own, sorted.
    package var namedApps: [AppName] { authByApp.keys.sorted { $0.text < $1.text } }

    /// The rules for one app's tokens; nil stands for the unnamed app.
    package subscript(auth app: AppName?) -> Auth {
        get { app.map { authByApp[$0] ?? Auth() } ?? auth }
        set { if let app { authByApp[app] = newValue } else { auth = newValue } }
    }

    /// The app of a call without a token. Only apps whose settings allow such a call count: the one that the query names,
    /// else the unnamed one, else the only one. Nil if there is none. A text that names no app is a device's label.
    func app(ofGuest query: HTTPQuery, where isAllowed: (Auth) -> Bool) -> AppName? {
        let apps = (isAllowed(auth) ? [AppName.unnamed] : []) + namedApps.filter { isAllowed(self[auth: $0]) }
        if let name = query["app"].flatMap({ AppName($0) }), authByApp[name] != nil {
            return apps.contains(name) ? name : nil
        }
        return apps.contains(.unnamed) || apps.count == 1 ? apps[0] : nil
    }
}
