"""Which cases need what a run does not have: they are left out, and the reason is printed."""

from .suite import Case

#: Cases about SQLite's file, by their module or by the beginning of their name.
SQLITE = {
    "backup": "`belfry backup` and `belfry restore` are for SQLite",
    "damage": "damages SQLite's file",
    "random_damage": "damages SQLite's file",
    "power_cuts": "loses what SQLite has not synced",
    "a log whose last commit is not whole": "damages SQLite's log",
    "full_disk": "fills the disk of SQLite's file",
    "a database that is missing or empty beside its log": "removes SQLite's file",
    "a damaged frame in the log": "damages SQLite's log",
    "a store that cannot be written is not ready": "locks SQLite's file",
    "on a file system that becomes read-only": "breaks the disk of SQLite's file",
    "a start on a disk that can only be read": "breaks the disk of SQLite's file",
    "a server does not start on a store that it may only read": "protects SQLite's file",
    "a damaged reading of the clock": "damages SQLite's file",
    "while the database cannot be written an acknowledgement": "locks SQLite's file",
    "for a while after a restart nobody counts as away": "the database knows who was connected",
    "no slot lies beyond the deadline": "the store stays open for the sessions of a leaving node",
    "what is published soon after a commit shares the next one": "`store.commitInterval` is SQLite's",
}
#: Cases about the database of a store in PostgreSQL.
POSTGRES = {
    "affinity": "starts several nodes on one database",
    "database": "stops the database of a store in PostgreSQL",
    "nodes": "starts several nodes on one database",
    "console_cluster": "starts several nodes on one database",
    "epochs": "has a store in PostgreSQL, too",
    "migrate": "moves a store to PostgreSQL",
    "outbox": "publishes by SQL in the database of a store in PostgreSQL",
    "point_in_time": "restores a database of PostgreSQL",
}
#: Cases about one process.
ONE_NODE = {
    "security": "attacks one process",
    "admission": "each node counts its own connections and sessions",
    "affinity": "starts its own nodes",
    "bench": "measures one process",
    "epochs": "about one process, and then the next",
    "drain": "about one process that leaves, and the next on its port",
    "leaving": "about one process that leaves",
    "migrate": "about one process, and then the next",
    "nodes": "starts its own nodes",
    "console_cluster": "starts its own nodes",
    "point_in_time": "about one process, and then the next",
    "providers": "each node fetches keys by itself",
    "sign_in": "each node has its own logins",
    "rates": "each node counts its own requests",
    "systemd": "about one process under a service manager",
    "a second process takes over": "about the next process on a port",
    # Each of these would pass if all of its requests went to one node.
    "the client's files count among": "each node counts its own requests",
    "tokens of an identity provider": "each node fetches keys by itself",
    "a page of another origin is told nothing": "each node tells of it once a minute",
    "sessions by tokens of a key that is removed": "only one node reads its keys again",
    "rooms: fifty-five rows scroll": "numbered pages count at each node",
    "unread rows come page by page": "numbered pages count at each node",
    "pages fit together while rows": "numbered pages count at each node",
    "the 101st frame within ten seconds": "each node counts its own sessions",
    "metrics are in Prometheus' format": "the sum of several processes has no start",
    "a broken catalog is refused at SIGHUP": "only one node reads its catalogs again",
    "an event that was taken in is answered as before": "only one node reads its catalogs again",
    "belfry serve --dev": "about one process for development",
    "belfry tail --ack acknowledges what it showed": "relies on one node that tells all before it is killed",
    "the demo publishes a sample": "about one process for development",
    "a push of the demo": "about one process for development",
    "quotas, sizes and the number of connections": "each node counts its own publishers",
    "its certificate is read again at SIGHUP": "about the next process on a port",
    "streams of one line": "each node counts its own publishers",
    "belfry publishers lists rights": "each node counts its own publishers",
    "a provider that cannot be reached": "the status is that of one node",
    "a start waits for a database": "each node says it",
    "the provider token of an APNs push": "each node signs its own token",
    "a key that is not taken gives no push up": "a node tells of it once it has pushed",
    "a password from a file opens": "about one process",
    "a slow reader's bounds count": "publishes faster than other nodes are told",
    "who takes nothing for as long as": "publishes faster than other nodes are told",
}

#: Cases about WebSockets.
WEB_SOCKET = {
    "security": "opens what it attacks by itself",
    "compression": "compresses the frames of WebSockets",
    "without a trusted proxy": "opens a connection before the hello",
    "one address has its own limit": "opens a connection before the hello",
    "beyond the limit of connections": "opens a connection before the hello",
    "pages of other origins are refused": "opens a connection before the hello",
    "at SIGHUP a new certificate": "opens a connection before the hello",
    "a process that was stopped": "posts to a process that is stopped",
    "no log line, at the finest level": "an event stream is refused by a status",
    "the demo gives tokens": "an event stream is refused by a status",
    "without a new token the session closes": "a request with a bad token is refused by a status",
    "another user's token ends": "a request of another person's is refused by a status",
    "a wrong token is refused on each way in": "about the ways in of a WebSocket",
    "all three ways in work": "about the ways in of a WebSocket",
    "a token in the URL opens": "about the ways in of a WebSocket",
    "a token in hello wins": "about the ways in of a WebSocket",
    "a token that was believed is refused": "about the ways in of a WebSocket",
    "frames that a correct client may well send": "an event stream has no hello",
    "a user who changes something two thousand times": "its frames are requests, which count, too",
    "a frame with a missing or a wrong field": "has frames without the token that is their request's, too",
    "no slot lies beyond the deadline": "a node that leaves takes no requests",
    "a user with as many sessions as allowed": "an event stream is refused by a status",
    "the 101st frame within ten seconds": "an event stream is refused by a status",
    "sessions by tokens of a key that is removed": "a request with such a token is refused by a status",
    "a token with a new key is put off": "an event stream is refused by a status",
    "a hello that is no good": "an event stream has no hello",
    "SIGTERM: sessions are told": "an event stream has no hello",
}

#: Cases in which a client that polls is told something earlier, or by a status.
STREAM = {
    "fifty sessions each get a slot": "the answer that tells the slot is the session's last",
    "a key that a provider publishes no more": "a poll with such a token is refused by a status",
}


def missing(case: Case, store: str, is_cluster: bool, has_events: bool, polls: bool) -> str | None:
    """Why a run has to leave a case out; None if it need not."""
    tables = [SQLITE if store == "postgres" else POSTGRES] + ([ONE_NODE] if is_cluster else []) + (
        [WEB_SOCKET] if has_events or polls else []) + ([STREAM] if polls else [])
    modules = case.body.__module__.split(".")[-2:]
    for table in tables:
        for key, reason in table.items():
            if key in modules or case.name.startswith(key):
                return reason
    return None
