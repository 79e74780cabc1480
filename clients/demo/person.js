/** One person's app: their inbox, in a session of its own. */

import { connect } from '/belfry.js'

const person = new URLSearchParams(location.search).get('to')

const token = async () => {
  const answer = await fetch(`/demo/token?to=${encodeURIComponent(person)}`, { method: 'POST' })
  if (!answer.ok) throw new Error(answer.statusText)
  return (await answer.json()).token
}

// An open phone is looked at, whichever of the two has the focus; behind another tab, or in a window that is hidden, none is.
const inbox = connect({ token, attention: () => document.visibilityState === 'visible' })

const byId = (id) => document.getElementById(id)
const make = (tag, properties, ...children) => {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...children)
  return node
}

const ago = (at) => {
  const minutes = Math.floor((Date.now() - Date.parse(at)) / 60_000)
  return minutes < 1 ? 'now' : minutes < 60 ? `${minutes} min` : minutes < 1440 ? `${Math.floor(minutes / 60)} h` : new Date(at).toLocaleDateString()
}

const row = ({ id, displayText, createdAt, isRead }) => {
  const button = make('button', { type: 'button', className: isRead ? 'row' : 'row unread' },
    make('span', { className: 'text', textContent: displayText }),
    make('time', { dateTime: createdAt, textContent: ago(createdAt) }))
  button.addEventListener('click', () => inbox.read([id]))
  return make('li', {}, button)
}

const draw = () => {
  const { status, unread, items } = inbox.snapshot
  if (status === 'live') parent.postMessage({ unread }, location.origin)
  byId('unread').textContent = unread || ''
  byId('status').textContent = status === 'live' ? '' : status === 'stopped' ? 'Signed out' : 'Connecting …'
  byId('items').replaceChildren(...items.map(row))
  byId('none').hidden = items.length > 0 || status !== 'live'
  byId('all').hidden = unread === 0
}

byId('all').addEventListener('click', () => inbox.read())
inbox.subscribe(draw)
draw()
setInterval(draw, 30_000)
