/** What every promise of this client is rejected with. */
export class BelfryError extends Error {
  /**
   * @param {string} code stable, as the server's problems and error frames name it
   * @param {string} [message] for a log
   * @param {boolean} [temporary] whether the same call may succeed later
   */
  constructor(code, message = code, temporary = false) {
    super(message)
    Object.assign(this, { name: 'BelfryError', code, temporary })
  }
}

/** The same of a server's frame or answer. */
export const errorOf = ({ code, message, temporary }) => new BelfryError(code, message, temporary)
