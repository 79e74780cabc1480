import Foundation
import Glibc
package import Postgres

extension Settings {
    /// What this process is called: the setting, or the machine's name.
    package var nodeName: String { node ?? Self.machineName }

    /// Whether other processes may share the store, so that log lines tell which one wrote them.
    package var isOneOfSeveral: Bool { node != nil || store.url != nil }

    /// The kernel's 64 bytes.
    private static var machineName: String {
        var name = [CChar](repeating: 0, count: 65)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether a text can be a node's name: PostgreSQL shows 63 bytes of it.
    static func isNodeName(_ text: String) -> Bool {
        1...63 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}

extension Settings.Store {
    /// Where the store is in PostgreSQL, without the password of ``passwordFile``; nil for SQLite in the data folder.
    ///
    /// - Throws: what is wrong with the URL, without quoting it.
    package func address() throws(PostgresAddress.Fault) -> PostgresAddress? {
        guard let url else { return nil }
        return try PostgresAddress(url.text)
    }

    /// The address with the password of ``passwordFile``, if the settings name one.
    package func withPassword(_ address: PostgresAddress) throws(ServerError) -> PostgresAddress {
        guard let passwordFile else { return address }
        do {
            let text = try TextFile.read(passwordFile)
            return address.with(password: text.trimmingCharacters(in: .whitespacesAndNewlines))
        } catch {
            throw ServerError("store.passwordFile: \(error)")
        }
    }

    /// Where to listen, if not at the same address.
    package func listenAddress() throws(PostgresAddress.Fault) -> PostgresAddress? {
        guard let listenURL else { return nil }
        return try PostgresAddress(listenURL.text)
    }
}
