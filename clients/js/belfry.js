export { BelfryError } from './src/error.js'
export { connect } from './src/connect.js'
