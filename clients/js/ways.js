export { waysOf } from './src/ways/connection.js'
