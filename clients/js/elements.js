import { connect } from './belfry.js'
import { BelfryBell } from './src/elements/bell.js'
import { BelfryInbox } from './src/elements/inbox.js'
import { openWith, provide } from './src/elements/source.js'

openWith(connect)
const define = (name, element) => customElements.get(name) || customElements.define(name, element)
// The bell makes an inbox.
define('belfry-inbox', BelfryInbox)
define('belfry-bell', BelfryBell)

export { BelfryBell, BelfryInbox, provide }
