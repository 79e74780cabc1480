/** A POST may take so long. */
const patience = 20_000

/** Close codes of a WebSocket for what HTTP says in their place. */
const codes = { 401: 4202, 404: 4201, 429: 4101, 503: 4100 }

/** The code of the problem that an answer tells; undefined if it is not Belfry's own. */
export const problemOf = async (answer) => (await answer.json().catch(() => ({}))).code

/** The close code for an answer with a problem. */
export const codeOf = ({ status }, problem) => {
  if (problem) return status === 401 && !/^token_(expired|revoked)$/.test(problem) ? 4001 : codes[status]
}

/**
 * The live protocol without a WebSocket, in the form of one. Frames go by POST. Those that come while a POST is under way go
 * together in the next one, so that they stay in their order.
 *
 * @param listen brings the server's frames, until the session is over: called with what it needs for that, and the query
 *   that says what the hello does
 */
export const openHttp = (env, url, listen) => {
  const life = new AbortController()
  const { signal } = life
  const waiting = []
  let token, posts, isPosting
  let hasToken = () => {}

  const call = (path, options) =>
    env.fetch(url + path, { signal, ...options, headers: { authorization: 'Bearer ' + token }, cache: 'no-store' })
  const end = (code) => {
    if (signal.aborted) return
    life.abort()
    socket.onclose({ code })
  }
  const fail = () => end()

  const post = async () => {
    if (isPosting || !posts) return
    isPosting = true
    while (waiting[0]) {
      const timer = env.setTimeout(fail, patience)
      const answer = await call(posts, { method: 'POST', body: waiting.splice(0).join('\n') })
      env.clearTimeout(timer)
      // The stream has asked for another token before, which was too late for this.
      if (!answer.ok) return end(answer.status === 401 ? 4202 : codeOf(answer, await problemOf(answer)))
    }
    isPosting = false
  }
  const tools = {
    signal,
    call,
    end,
    hear(data) {
      const { type, session } = JSON.parse(data)
      socket.onmessage({ data })
      if (type !== 'ready') return
      posts = '/frames/' + session
      post().catch(fail)
    },
    wait: (delay) => new Promise((resolve) => env.setTimeout(resolve, delay)),
    get token() {
      return token
    },
    /** Until the client has another token than this one. */
    tokenAfter: (old) => token === old && new Promise((resolve) => (hasToken = resolve)),
  }

  const socket = {
    send(text) {
      const { type, resume, active, ...frame } = JSON.parse(text)
      if (frame.token) {
        token = frame.token
        hasToken()
      }
      if (type === 'hello')
        return listen(tools, `active=${active}&resume=${encodeURIComponent(resume.epoch)}.${resume.seq}`).catch(fail)
      waiting.push(text)
      post().catch(fail)
    },
    close: () => life.abort(),
  }
  queueMicrotask(() => socket.onopen())
  return socket
}
