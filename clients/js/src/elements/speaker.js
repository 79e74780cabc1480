import { make } from './dom.js'

/** Which element tells of a client's arrivals, so that a page with several says them once. */
const speakers = new WeakMap()
const patience = 1_000

/**
 * Tells of arrivals in a polite live region, those of a second in one sentence, and of clicks on pushes. Ends by what it
 * returns.
 */
export const speakOf = (inbox, host) => {
  const node = make('div', { class: 'hidden', role: 'status' })
  let arrived = []
  let timer
  const speaks = () => {
    if (!speakers.get(inbox)?.isConnected) speakers.set(inbox, host)
    if (speakers.get(inbox) !== host) return false
    // It has to be there before it says something.
    if (!node.isConnected) host.shadowRoot.append(node)
    return true
  }
  const speak = () => {
    timer = 0
    node.textContent = arrived.length > 1 ? host.say('arrived', arrived.length) : arrived[0]
    arrived = []
  }
  speaks()
  const undo = [
    inbox.on('new', ({ displayText }) => {
      if (!speaks()) return
      arrived.push(displayText)
      timer ||= setTimeout(speak, patience)
    }),
    inbox.on('activate', ({ id, data }) => {
      const item = inbox.snapshot.items.find((item) => item.id === id)
      if (speaks()) host.activate(item ?? { id, deepLink: data, isRead: true })
    }),
  ]
  return () => {
    clearTimeout(timer)
    node.remove()
    for (const end of undo) end()
  }
}
