import Postgres

extension PostgresFailure {
    /// What an operator can do about a store that cannot be opened.
    var advice: String {
        switch sqlState {
        case "28P01": "check the user and the password: store.passwordFile, PGPASSFILE or PGPASSWORD"
        case "3D000": "create the database, with ENCODING 'UTF8'"
        case "42501", "3F000": "let the user create tables there: GRANT CREATE ON SCHEMA"
        case "53300": "raise max_connections of the server"
        case _ where sqlState.hasPrefix("28"): "check the user and its password, and pg_hba.conf of the server"
        case _ where meaning == .readOnly: "name the primary: standbys take no writes"
        case _ where meaning == .cannotConnect: "check host, port and sslmode, and whether the server runs"
        default: "see the log of the server"
        }
    }
}
