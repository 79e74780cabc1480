import { join } from './src/connect.js'

export { BelfryError } from './src/error.js'

/** Opens a person's inbox; `belfry.d.ts` says what `options` has. `env` stands in for a browser in tests. */
export const connect = (options, env = globalThis) => join(options, env)
