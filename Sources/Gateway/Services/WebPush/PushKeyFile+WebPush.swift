import Push

extension PushKeyFile {
    static func vapid(_ path: String) throws -> VAPIDKey {
        let text = try read(path, of: "push.webPush.privateKeyPath")
        do {
            return try VAPIDKey(text)
        } catch {
            throw ServerError("push.webPush.privateKeyPath: \(path): \(error)")
        }
    }
}
