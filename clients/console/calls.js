// The calls to the server, all of them to the origin of this page.

/** What a call was refused with; `problem` is the server's answer (RFC 9457). */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? `The server answered with ${status}.`)
    this.status = status
    this.problem = problem
  }
}

let onLogin = () => {}
/** Sets what is called when the server wants a login. */
export const whenLoginIsNeeded = (listener) => (onLogin = listener)

export let me = { apps: [''] }
export const setMe = (who) => (me = who)

const nameKey = 'belfry-console-name'
/** How the operator wants to be called in the audit log. */
export const operator = {
  get name() {
    return localStorage.getItem(nameKey) ?? ''
  },
  set name(name) {
    localStorage.setItem(nameKey, name)
  },
}

/** Makes a call; the answer is JSON, or undefined without a body. */
export const call = async (method, path, body) => {
  const headers = { 'Belfry-Console': encodeURIComponent(me.name ?? operator.name) }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  let answer
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body) })
  } catch {
    throw new Refused(0, { detail: 'The server does not answer.' })
  }
  const text = await answer.text()
  const isJSON = /json/.test(answer.headers.get('Content-Type') ?? '')
  const json = isJSON && text ? JSON.parse(text) : undefined
  if (answer.ok) return json
  if (answer.status === 401 && json?.code === 'login_needed') onLogin()
  throw new Refused(answer.status, json)
}
export const get = (path) => call('GET', path)

/** The same, or what `instead` gives for one of these problems. */
export const getOr = async (instead, path, ...codes) => {
  try {
    return await get(path)
  } catch (error) {
    if (codes.includes(error.problem?.code)) return instead
    throw error
  }
}

/** The path of a call about a person, with the app where there are several. */
export const ofUser = (user, app, path = '', query = {}) => ofApp(`/v1/users/${encodeURIComponent(user)}${path}`, app, query)
export const ofApp = (path, app, query = {}) => {
  const parameters = new URLSearchParams(query)
  if (me.apps.length > 1) parameters.set('app', app ?? '')
  const text = parameters.toString()
  return path + (text && `?${text}`)
}
