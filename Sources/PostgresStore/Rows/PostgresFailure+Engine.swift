import Deliveries
import Postgres

/// Whatever PostgreSQL refuses makes the transaction worthless.
extension PostgresFailure: EngineFailure {}
