import assert from 'node:assert/strict'
import { ModelSession } from './server.js'

const encode = (text) => new TextEncoder().encode(text)
const problem = (status, code) => ({ ok: false, status, json: async () => ({ code }) })
/** @param refusal a close code, or the code of a problem with a token */
const refused = (refusal) => problem(401, { 4202: 'token_expired', 4001: 'bad_signature' }[refusal] || refusal)

/** A reader of what is pushed, in pieces that chance cuts. */
const createReader = (random, signal) => {
  const pieces = []
  let wake = () => {}
  signal.addEventListener('abort', () => wake())
  return {
    /** @param chunk bytes, or an error that the reader throws, or null for the end */
    push(chunk) {
      if (chunk?.length) {
        const middle = Math.floor(random() * chunk.length)
        pieces.push(chunk.subarray(0, middle), chunk.subarray(middle))
      } else pieces.push(chunk)
      wake()
    },
    async read() {
      while (!pieces[0] && pieces[0] !== null && !signal.aborted) await new Promise((resolve) => (wake = resolve))
      if (signal.aborted) throw Object.assign(new Error('aborted'), { name: 'AbortError' })
      const value = pieces.shift()
      if (value instanceof Error) throw value
      return { done: value === null, value }
    },
  }
}

/** What `fetch` of an event stream gives. */
export const openStream = async (server, tab, query, { headers, signal }) => {
  await server.delay()
  if (server.isAway) throw new TypeError('failed to fetch')
  const token = headers.authorization.replace('Bearer ', '')
  const refusal = server.admit(token)
  if (refusal) return refused(refusal)

  const [down, up] = [server.link(), server.link()]
  const reader = createReader(server.random, signal)
  // A proxy that keeps answers back, until they are long.
  const write = (chunk) => server.streams === 'keep' || down(() => tab.run(() => reader.push(chunk)))
  const session = new ModelSession(server, (event, value) => {
    if (event === 'onmessage') write(encode(`data: ${value.data}\nid: e.1\n\n`))
    if (event !== 'onclose') return
    if (value.code !== 1006) write(encode(`event: close\ndata: ${JSON.stringify(value)}\n\n`))
    write(value.code === 1006 ? new TypeError('network error') : null)
  }, true)
  const leave = () => up(() => session.leave())
  signal.addEventListener('abort', leave)
  tab.sockets.push({ die: leave })
  const [epoch, seq] = query.get('resume').split('.')
  session.receive({ type: 'hello', token, resume: { epoch, seq: Number(seq) }, active: query.get('active') === 'true' })
  return { ok: true, status: 200, body: { getReader: () => reader } }
}

/** What `fetch` of a poll gives: of the first one, and of later ones, whose answers may get lost. */
export const takePoll = async (server, tab, [name], query, { method = 'GET', headers, signal }) => {
  await server.delay()
  if (signal?.aborted || server.isAway) throw new TypeError('failed to fetch')
  const token = headers.authorization.replace('Bearer ', '')
  const refusal = server.admit(token)
  if (refusal) return refused(refusal)
  if (!name) name = openPoll(server, tab, token, query)
  const poll = server.polls.get(name)
  if (!poll) return problem(404, 'unknown_session')
  if (method === 'DELETE') {
    server.polls.delete(name)
    poll.session.leave()
    return { ok: true, status: 204 }
  }
  const after = Number(query.get('after') || 0)
  assert.ok(after >= poll.confirmed && after <= poll.frames.length, 'a place that the client cannot have')
  poll.confirmed = after
  signal.addEventListener('abort', () => poll.wake())
  while (poll.frames.length === after && !poll.close && !signal.aborted) await new Promise((resolve) => (poll.wake = resolve))
  const said = { session: name, next: poll.frames.length, frames: poll.frames.slice(after), close: poll.close }
  if (said.close) server.polls.delete(name)
  await server.delay()
  if (signal.aborted || server.losesAnswer?.() || said.close?.code === 1006) throw new TypeError('failed to fetch')
  return { ok: true, status: 200, json: async () => structuredClone(said) }
}

const openPoll = (server, tab, token, query) => {
  const poll = { frames: [], confirmed: 0, wake() {} }
  poll.session = new ModelSession(server, (event, value) => {
    if (event === 'onmessage') poll.frames.push(JSON.parse(value.data))
    if (event === 'onclose') poll.close = value
    poll.wake()
  }, true)
  const { name } = poll.session
  server.polls.set(name, poll)
  tab.sockets.push({ die: () => poll.session.leave() })
  const [epoch, seq] = query.get('resume').split('.')
  poll.session.receive({ type: 'hello', token, resume: { epoch, seq: Number(seq) }, active: query.get('active') === 'true' })
  return name
}

/** The answer to a POST of frames. It may get lost, like the request. */
export const takeFrames = async (server, name, { body }) => {
  await server.delay()
  if (server.isAway || server.failsREST?.()) throw new TypeError('failed to fetch')
  const session = [...server.sessions].find((one) => one.isStream && one.name === name)
  if (!session) return problem(404, 'unknown_session')
  for (const line of body.split('\n')) session.receive(JSON.parse(line))
  await server.delay()
  if (server.failsREST?.()) throw new TypeError('failed to fetch')
  return { ok: true, status: 204 }
}
