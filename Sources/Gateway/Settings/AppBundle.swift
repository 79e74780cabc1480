/// An app's bundle id for pushes: `rooms=com.example.rooms`.
package struct AppBundle: Sendable, Hashable {
    package let app: String
    package let bundleID: String

    package init(app: String, bundleID: String) {
        self.app = app
        self.bundleID = bundleID
    }
}
