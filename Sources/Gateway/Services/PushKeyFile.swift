/// Reads a key that proves our identity to a push service or a provider; errors name the setting and the file.
enum PushKeyFile {
    static func read(_ path: String, of setting: String) throws -> String {
        do {
            return try TextFile.read(path)
        } catch {
            throw ServerError("\(setting): \(error)")
        }
    }
}
