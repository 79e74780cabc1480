import { codeOf, problemOf } from './http.js'

/** Before a poll is sent once more whose answer was lost, and how often in a row. */
const pause = 1_000
const tries = 3

const ignore = () => {}

/** Brings frames with the answers to long polls: a `listen` of `openHttp`. */
export const listenToPolls = async (tools, query) => {
  const { signal, call, end, hear } = tools
  let path = '/poll?' + query
  let session
  let failures = 0
  signal.addEventListener('abort', () => {
    if (session) call('/poll/' + session, { method: 'DELETE', keepalive: true, signal: undefined }).catch(ignore)
  })

  while (!signal.aborted) {
    const { token } = tools
    const answer = await call(path).catch(ignore)
    const said = answer?.ok && (await answer.json().catch(ignore))
    if (!said) {
      const problem = answer && !answer.ok ? await problemOf(answer) : undefined
      const code = answer && codeOf(answer, problem)
      // The server has asked for another token, which is on its way. The session of a revoked one is over.
      if (answer?.status === 401 && session && problem !== 'token_revoked') await tools.tokenAfter(token)
      else if (session && (!code || code === 4101) && ++failures < tries) {
        await tools.wait(answer?.headers?.get('retry-after') * 1_000 || pause)
      } else {
        session = undefined
        return end(code)
      }
      continue
    }
    failures = 0
    session = said.session
    for (const frame of said.frames) {
      if (signal.aborted) return
      hear(JSON.stringify(frame))
    }
    if (said.close) {
      session = undefined
      return end(said.close.code)
    }
    path = `/poll/${session}?after=${said.next}`
  }
}
