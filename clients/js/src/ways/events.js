import { createParser } from './parser.js'

/** A POST may take so long. */
const patience = 20_000

/** Close codes of a WebSocket for what HTTP says in their place. */
const codes = { 401: 4202, 404: 4201, 429: 4101, 503: 4100 }

/** The code for an answer that is no success; undefined if it is not Belfry's own. */
const codeOf = async (answer) => {
  const { code } = await answer.json().catch(() => ({}))
  if (!code) return
  return answer.status === 401 && code !== 'token_expired' ? 4001 : codes[answer.status]
}

/**
 * The live protocol without a WebSocket, in the form of one: frames come on a streamed answer, and go by POST. Frames that
 * come while a POST is under way go together in the next one, so that they stay in their order.
 */
export const openEvents = (env, url) => {
  const life = new AbortController()
  const waiting = []
  let token, posts, isPosting

  const call = (path, options) =>
    env.fetch(url + path, {
      ...options,
      headers: { authorization: 'Bearer ' + token },
      cache: 'no-store',
      signal: life.signal,
    })
  const end = (code) => {
    if (life.signal.aborted) return
    life.abort()
    socket.onclose({ code })
  }

  const fail = () => end()

  const listen = async ({ resume: { epoch, seq }, active }) => {
    const answer = await call(`/events?active=${active}&resume=${encodeURIComponent(epoch)}.${seq}`)
    if (!answer.ok) return end(await codeOf(answer))
    const parse = createParser()
    const decoder = new TextDecoder()
    const reader = answer.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return end()
      for (const { event, data } of parse(decoder.decode(value, { stream: true }))) {
        if (life.signal.aborted) return
        if (event === 'close') return end(JSON.parse(data).code)
        if (event) continue
        const { type, session } = JSON.parse(data)
        socket.onmessage({ data })
        if (type !== 'ready') continue
        posts = '/frames/' + session
        post().catch(fail)
      }
    }
  }
  const post = async () => {
    if (isPosting || !posts) return
    isPosting = true
    while (waiting[0]) {
      const timer = env.setTimeout(fail, patience)
      const answer = await call(posts, { method: 'POST', body: waiting.splice(0).join('\n') })
      env.clearTimeout(timer)
      if (!answer.ok) return end(await codeOf(answer))
    }
    isPosting = false
  }

  const socket = {
    send(text) {
      const frame = JSON.parse(text)
      token = frame.token || token
      if (frame.type === 'hello') return listen(frame).catch(fail)
      waiting.push(text)
      post().catch(fail)
    },
    close: () => life.abort(),
  }
  queueMicrotask(() => socket.onopen())
  return socket
}
