/** Inboxes that elements have opened by their attributes, so that all with the same attributes share one. */
const opened = new Map()
const waiting = new Set()
let shared
let connect

/** What opens an inbox: the client, which stays a module of its own. */
export const openWith = (opener) => (connect = opener)

/** Gives all elements of the page, those to come as well, this inbox unless they have one of their own. */
export const provide = (inbox) => {
  shared = inbox
  for (const element of waiting) element.inbox = inbox
  waiting.clear()
}

/** The app's own server says whose token it is: 401 and 403 mean that nobody is signed in. */
const askFor = (address) => async ({ reason }) => {
  const url = new URL(address, document.baseURI)
  url.searchParams.set('reason', reason)
  const answer = await fetch(url, { credentials: 'same-origin', cache: 'no-store' })
  if (answer.status === 401 || answer.status === 403) return null
  if (!answer.ok) throw new Error('no token: status ' + answer.status)
  return (await answer.text()).trim()
}

/** Finds the inbox of an element that was not given one: by its attributes, or the page's. */
export const find = (element) => {
  const address = element.getAttribute('token-url')
  if (!address) {
    if (!shared) waiting.add(element)
    return shared
  }
  // Where this module came from is where the server is.
  const url = element.getAttribute('server') || new URL(import.meta.url).origin
  const name = url + ' ' + address
  if (!opened.has(name)) opened.set(name, connect({ url, token: askFor(address) }))
  return opened.get(name)
}
export const forget = (element) => waiting.delete(element)
