import { define } from './src/elements/base.js'
import { BelfryBell } from './src/elements/bell.js'
import { BelfryInbox } from './src/elements/inbox.js'

define('belfry-inbox', BelfryInbox)
define('belfry-bell', BelfryBell)

export { BelfryElement, define, provide } from './src/elements/base.js'
export { firstDayOf, timeOf } from './src/elements/dates.js'
export { make, set, write } from './src/elements/dom.js'
export { say } from './src/elements/labels.js'
export { style } from './src/elements/style.js'
export { urlOf } from './src/elements/url.js'
export { BelfryBell, BelfryInbox }
