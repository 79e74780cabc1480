import Deliveries
import GRDB

extension DatabaseError: EngineFailure {}
