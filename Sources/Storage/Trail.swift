/// What was decided about whom, and what became of it.
package protocol Trail: Sendable {}
