// An app as its users see it, which also keeps what the client told, for the tests.
import { connect } from './belfry.js'

const query = new URLSearchParams(location.search)

window.violations = []
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  window.violations.push(`${violatedDirective}: ${blockedURI}`),
)

// A clock that is wrong by so many seconds.
const { now } = Date
Date.now = () => now() + 1_000 * query.get('ahead')

window.isFrozen = false
document.addEventListener('freeze', () => (window.isFrozen = true))
document.addEventListener('resume', () => (window.isFrozen = false))

const inbox = connect({
  url: query.get('server') ?? undefined,
  share: !query.has('alone'),
  token: async ({ reason }) => {
    const answer = await fetch(`/belfry-token?user=${query.get('user')}&reason=${reason}`)
    if (answer.ok) return answer.text()
    if (answer.status === 401) return null
    throw new Error(`HTTP ${answer.status}`)
  },
})

/** What each event leaves behind, with the moment. */
const kept = {
  new: ({ id, seq, rev }) => ({ id, seq, rev }),
  update: ({ id, seq, rev }) => ({ id, seq, rev }),
  gone: (ids) => ({ ids }),
  reset: () => ({}),
  prefs: ({ rev }) => ({ rev }),
  status: ({ status, reason }) => ({ status, reason }),
  activate: (click) => click,
}
window.told = []
for (const [event, keep] of Object.entries(kept)) {
  inbox.on(event, (detail) => window.told.push({ event, at: performance.timeOrigin + performance.now(), ...keep(detail) }))
}

const show = ({ unread, items }) => {
  document.getElementById('unread').value = unread
  document.getElementById('list').replaceChildren(
    ...items.map(({ displayText, isRead }) => {
      const row = document.createElement('li')
      row.textContent = displayText
      row.className = isRead ? 'read' : 'unread'
      return row
    }),
  )
}
inbox.subscribe(show)

// The page's policy demands that it vouches for addresses of scripts.
window.worker = trustedTypes.createPolicy('app', { createScriptURL: (path) => path }).createScriptURL('/belfry-sw.js')
document.getElementById('bell').onclick = () => {
  window.enabled = inbox.push.enable({ worker: window.worker })
}
window.inbox = inbox
