import { BelfryError } from './error.js'

const patience = 30_000

/**
 * Calls of the REST API.
 *
 * @param tokenFor gives the token for `Authorization`; with a reason, another one
 */
export const createRest = (env, base, tokenFor) => {
  const call = async (method, path, body, why) => {
    const headers = { authorization: 'Bearer ' + (await tokenFor(why)) }
    let answer, content
    try {
      answer = await env.fetch(base + path, {
        method,
        headers,
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(patience),
      })
      content = await answer.json()
    } catch ({ message }) {
      // There was no answer, or a proxy has answered with a page of its own.
      throw new BelfryError('network', message, true)
    }
    if (answer.ok) return content
    if (answer.status === 401 && !why) return call(method, path, body, 'expired')
    throw new BelfryError(content.code, content.detail, answer.status === 429 || answer.status > 499)
  }
  return call
}
