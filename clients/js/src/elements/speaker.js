import { make } from './dom.js'

/** Which element tells of a client's arrivals, so that a page with several says them once. */
const speakers = new WeakMap()
const patience = 1_000

/**
 * Tells of arrivals in a polite live region, those of a second in one sentence, and of clicks on pushes. Gives functions
 * that end it.
 */
export const speakOf = (inbox, host) => {
  const node = make('div', { class: 'hidden', role: 'status' })
  let arrived = []
  const speaks = () => {
    if (!speakers.get(inbox)?.isConnected) speakers.set(inbox, host)
    const isMine = speakers.get(inbox) === host
    // A live region has to be in the document before its text changes.
    if (isMine && !node.isConnected) host.shadowRoot.append(node)
    return isMine
  }
  const speak = () => {
    node.textContent = arrived.length > 1 ? host.say('arrived', arrived.length) : arrived[0]
    arrived = []
  }
  speaks()
  return [
    () => node.remove(),
    inbox.on('new', ({ displayText }) => {
      if (speaks() && arrived.push(displayText) === 1) setTimeout(speak, patience)
    }),
    inbox.on('activate', ({ id, data }) => {
      const item = inbox.snapshot.items.find((item) => item.id === id)
      if (speaks()) host.activate(item ?? { id, deepLink: data, isRead: true })
    }),
  ]
}
