/// An error of an engine that cannot read or write. Stored data that makes no sense is a ``DamagedRow`` instead.
package protocol EngineFailure: Error {}
