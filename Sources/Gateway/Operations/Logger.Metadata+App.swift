import Inbox
import Logging

extension Logger.Metadata {
    /// The metadata of a line about a thing of one app: the app, if that has a name, and the rest.
    static func about(_ app: AppName, _ rest: Logger.Metadata) -> Logger.Metadata {
        if app.isUnnamed { return rest }
        var all = rest
        all["app"] = "\(app.text)"
        return all
    }
}
