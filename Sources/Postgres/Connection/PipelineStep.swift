/// Something that was sent and whose answer has not been read.
struct PipelineStep {
    enum Kind {
        case prepare
        case execute
        /// The COMMIT of a transaction.
        case commit
    }

    let kind: Kind
    let statement: PostgresStatement
}
