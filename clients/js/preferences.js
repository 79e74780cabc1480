import { define } from './elements.js'
import { BelfryPreferences } from './src/preferences/element.js'

define('belfry-preferences', BelfryPreferences)

export { BelfryPreferences }
