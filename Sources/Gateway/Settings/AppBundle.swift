/// Which bundle id an app's pushes go to: `rooms=com.example.rooms`.
package struct AppBundle: Sendable, Hashable {
    package let app: String
    package let bundleID: String

    package init(app: String, bundleID: String) {
        self.app = app
        self.bundleID = bundleID
    }
}
