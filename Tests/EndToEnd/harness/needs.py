"""Which cases need what a run does not have: they are left out, and the reason is printed."""

from .suite import Case

#: Cases about SQLite's file, by their module or by the beginning of their name.
SQLITE = {
    "backup": "`belfry backup` and `belfry restore` are for SQLite",
    "damage": "damages SQLite's file",
    "full_disk": "fills the disk of SQLite's file",
    "a database that is missing or empty beside its log": "removes SQLite's file",
    "a damaged frame in the log": "damages SQLite's log",
    "a store that cannot be written is not ready": "locks SQLite's file",
    "on a file system that becomes read-only": "breaks the disk of SQLite's file",
    "a start on a disk that can only be read": "breaks the disk of SQLite's file",
    "a server does not start on a store that it may only read": "protects SQLite's file",
    "a damaged reading of the clock": "damages SQLite's file",
    "while the database cannot be written an acknowledgement": "locks SQLite's file",
    "no slot lies beyond the deadline": "the store stays open for the sessions of a leaving node",
    "what is published soon after a commit shares the next one": "`store.commitInterval` is SQLite's",
}
#: Cases about the database of a store in PostgreSQL.
POSTGRES = {
    "database": "stops the database of a store in PostgreSQL",
    "migrate": "moves a store to PostgreSQL",
}
#: Cases about one process.
ONE_NODE = {
    "admission": "each node counts its own connections and sessions",
    "bench": "measures one process",
    "drain": "about one process that leaves, and the next on its port",
    "leaving": "about one process that leaves",
    "migrate": "about one process, and then the next",
    "rates": "each node counts its own requests",
    "systemd": "about one process under a service manager",
    "a second process takes over": "about the next process on a port",
}


def missing(case: Case, store: str, is_cluster: bool) -> str | None:
    """Why a run has to leave a case out; None if it need not."""
    tables = [SQLITE if store == "postgres" else POSTGRES] + ([ONE_NODE] if is_cluster else [])
    module = case.body.__module__.split(".")[-1]
    for table in tables:
        for key, reason in table.items():
            if key == module or case.name.startswith(key):
                return reason
    return None
