import Store

extension PrometheusText {
    /// Writes what one of several nodes knows of the database and of its own part.
    mutating func node(_ figures: NodeFigures) {
        gauge(
            "belfry_store_is_caretaker", "1 at the node that does the work that one does for all.",
            figures.isCaretaker ? 1 : 0)
        if let nodes = figures.nodes {
            gauge("belfry_store_nodes", "Living nodes, this one included, as this node knows.", nodes)
        }
        counter(
            "belfry_lost_wakeups_total",
            "Inboxes and feeds with news of another node that no message told of: found by a look five seconds later.",
            figures.lostWakeUps)
        histogram(
            "belfry_listener_lag_seconds",
            "From a message to itself, sent through the database each second, to this node's hearing; by its own clock.",
            figures.listenerLag)
        histogram(
            "belfry_store_round_trip_seconds", "How long a look at the database's clock took, once a second.",
            figures.roundTrips)
        series(
            .counter, "belfry_store_retries_total", "Transactions of the writer that were tried again.",
            NodeFigures.RetryReason.allCases.map {
                (labels: [("reason", $0.rawValue)], value: figures.retries[$0] ?? 0)
            })
        if let database = figures.database { self.database(database) }
    }

    /// Writes the figures of the database that nodes share.
    private mutating func database(_ figures: DatabaseFigures) {
        let reader = " Only at the caretaker."
        if let oldest = figures.oldestTransaction {
            number(
                .gauge, "belfry_store_oldest_transaction_seconds",
                "Age of the oldest transaction, of anybody, that keeps dead rows." + reader, oldest / .seconds(1))
        }
        if let ratio = figures.notifyQueue {
            number(
                .gauge, "belfry_store_notify_queue_ratio", "How full the queue of NOTIFY is, from 0 to 1." + reader,
                ratio)
        }
        if let connections = figures.connections {
            gauge(
                "belfry_store_connections", "Connections to all databases of the server." + reader, Int(connections))
        }
        if let most = figures.mostConnections {
            gauge("belfry_store_connections_max", "How many connections the server takes." + reader, Int(most))
        }
        if let waiters = figures.lockWaiters {
            gauge("belfry_store_lock_waiters", "Sessions of the server that wait for a lock." + reader, Int(waiters))
        }
        if let bytes = figures.bytes {
            gauge("belfry_store_bytes", "Size of the database." + reader, Int(bytes))
        }
        rows(
            "belfry_store_live_rows", "Rows of each table, as far as the server knows." + reader, figures, \.livingRows)
        rows("belfry_store_dead_rows", "Rows that went and were not vacuumed yet." + reader, figures, \.deadRows)
    }

    private mutating func rows(
        _ name: String, _ help: String, _ figures: DatabaseFigures, _ count: (DatabaseFigures.Table) -> Int64
    ) {
        guard !figures.tables.isEmpty else { return }
        series(
            .gauge, name, help,
            figures.tables.map { (labels: [("table", $0.name)], value: Int(count($0))) })
    }
}
