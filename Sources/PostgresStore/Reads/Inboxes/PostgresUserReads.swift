import Deliveries
import Inbox
import Postgres
import Store

/// Reads people's profiles and settings.
struct PostgresUserReads: UserReads {
    let rows: PostgresRows

    init(_ rows: PostgresRows) { self.rows = rows }

    func isKnown(_ user: UserID) throws -> Bool {
        try !rows.connection.run(#"SELECT FROM inbox WHERE "user" = $1"#, [.text(user.key)]).isEmpty
    }

    func profile(of user: UserID) throws -> UserProfile? {
        try rows.connection.run(#"SELECT profile FROM inbox WHERE "user" = $1"#, [.text(user.key)]).first?.textOrNil(0)
            .flatMap(Person.profile(stored:))
    }

    func user(withEmail email: String, in app: AppName) throws -> UserID? {
        try rows.connection.run(
            #"SELECT "user" FROM inbox WHERE email = $1 AND app IS NOT DISTINCT FROM $2 ORDER BY id LIMIT 1"#,
            [.text(UserProfile.searchForm(ofEmail: email)), .text(app.isUnnamed ? nil : app.text)]
        ).first.flatMap { UserID(key: try $0.text(0)) }
    }

    func revocations() throws -> [Revocation] { try PostgresRevocations.all(on: rows.connection) }

    func settings(of user: UserID) throws -> UserSettings {
        try rows.connection.run(#"SELECT settings FROM inbox WHERE "user" = $1"#, [.text(user.key)]).first?.textOrNil(0)
            .flatMap(Person.settings(stored:)) ?? UserSettings()
    }

    func facts(of user: UserID) throws -> PersonFacts {
        let person = try rows.connection.run(InboxRecord.query, [.text(user.key)]).first.map(InboxRecord.init)?.person
        return PersonFacts(
            settings: person?.settings ?? UserSettings(), profile: person?.profile.reader ?? Reader(),
            device: person?.device ?? Reader())
    }
}
