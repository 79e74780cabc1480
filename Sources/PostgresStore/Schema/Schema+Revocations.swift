import Postgres

extension Schema {
    /// Whose tokens are refused that were issued before a moment. user is the person's key: they need no inbox.
    static let revocations: [PostgresStatement] = [
        #"CREATE TABLE revocation ("user" text COLLATE "C" PRIMARY KEY, issued_before int8 NOT NULL)"#
    ]
}
