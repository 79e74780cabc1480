/** One person's app: their bell and their inbox, in a session of its own. */

import { connect } from '/belfry.js'
import { provide } from '/belfry-elements.js'
import '/belfry-preferences.js'

const query = new URLSearchParams(location.search)
const person = query.get('to')
const name = query.get('name') ?? person

const token = async () => {
  const answer = await fetch(`/demo/token?to=${encodeURIComponent(person)}`, { method: 'POST' })
  if (!answer.ok) throw new Error(answer.statusText)
  return (await answer.json()).token
}

// An open phone is looked at, whichever of the two has the focus; behind another tab, or in a window that is hidden, none is.
const inbox = connect({ token, attention: () => document.visibilityState === 'visible' })
provide(inbox)

document.getElementById('who').textContent = name[0]
document.getElementById('name').textContent = name

const settings = document.getElementById('settings')
settings.addEventListener('click', () => {
  const isOn = settings.getAttribute('aria-pressed') !== 'true'
  settings.setAttribute('aria-pressed', String(isOn))
  document.querySelector('body > belfry-inbox').hidden = isOn
  document.querySelector('belfry-preferences').hidden = !isOn
})

// Where a notification leads is the app's own business, and this one has only its inbox: it is read, and no page opens.
document.addEventListener('belfry-activate', (event) => {
  event.preventDefault()
  const { id, notification } = event.detail
  if (notification && !notification.isRead) inbox.read([id])
})

// The app sets the number on its icon itself while it runs.
inbox.subscribe(({ status, unread }) => {
  if (status === 'live') parent.postMessage({ unread }, location.origin)
})
