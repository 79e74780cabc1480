// The elements with an inbox that a test plays, on a page that allows nothing but its own files.
import './belfry-elements.js'

window.violations = []
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  window.violations.push(`${violatedDirective}: ${blockedURI}`),
)
const query = new URLSearchParams(location.search)

const listeners = new Map()
const tell = (event, detail) => listeners.get(event)?.forEach((listener) => listener(detail))
/** Every command, with what it was given. */
window.calls = []
const called = (name) => async (...values) => {
  window.calls.push([name, ...values])
  if (window.failing) throw Object.assign(new Error(name), { code: window.failing === true ? 'failed' : window.failing })
}

const names = ['Pete Moss', 'Renée Ohlund', 'Sarah Köhler', 'Tom Okafor', 'Yuki Tanaka', 'Lena Brandt']
/** A notification as the server's list has it. */
window.sample = (number, more) => {
  const name = names[number % names.length]
  return Object.freeze({
    id: `n${number}`,
    type: 'ROOM_LIKE',
    displayText: `${name} liked your room: Italy Trip ${number}`,
    isRead: false,
    isSeen: false,
    createdAt: new Date(Date.now() - number * 60_000).toISOString(),
    actor: { id: `user-${number % names.length}`, name, avatarUrl: null },
    deepLink: { type: 'room', roomId: `room-${number}` },
    rev: 1,
    seq: number,
    ...more,
  })
}

let snapshot = Object.freeze({ status: 'live', synced: true, unread: 0, unseen: 0, items: [], more: false })
/** Changes the snapshot; the counts are those of its items. */
window.change = (some) => {
  const next = { ...snapshot, ...some }
  const count = (mark) => next.items.filter((item) => !item[mark]).length
  snapshot = Object.freeze({ ...next, unread: count('isRead'), unseen: count('isSeen') })
  tell('', snapshot)
}
window.arrive = (item) => {
  window.change({ items: [item, ...snapshot.items] })
  tell('new', item)
}
const on = (event, listener) => {
  if (!listeners.has(event)) listeners.set(event, new Set())
  listeners.get(event).add(listener)
  return () => listeners.get(event).delete(listener)
}
const edit = (ids, change) =>
  window.change({ items: snapshot.items.flatMap((item) => (ids && !ids.includes(item.id) ? [item] : change(item))) })

window.inbox = {
  get snapshot() {
    return snapshot
  },
  subscribe: (listener) => on('', listener),
  on,
  async read(ids) {
    await called('read')(ids)
    edit(ids, (item) => [{ ...item, isRead: true, isSeen: true }])
  },
  async seen() {
    await called('seen')()
    edit(undefined, (item) => [item.isSeen ? item : { ...item, isSeen: true }])
  },
  async answer(id, action) {
    await called('answer')(id, action)
    edit([id], (item) => [{ ...item, isRead: true, rev: item.rev + 1, question: { ...item.question, answer: { action } } }])
  },
  async remove(ids) {
    await called('remove')(ids)
    edit(ids, () => [])
  },
  async more() {
    await called('more')()
    const from = snapshot.items.length + 1
    window.change({
      items: [...snapshot.items, ...Array.from({ length: 100 }, (_, index) => window.sample(from + index, { isRead: true }))],
      more: from < 300,
    })
  },
  retry: called('retry'),
  async explain(id) {
    await called('explain')(id)
    return {
      id,
      type: 'ROOM_LIKE',
      state: 'unseen',
      events: [{ type: 'room_liked', text: 'It came into your inbox.' }],
      steps: [{ step: 'sent', text: 'A push went to phone-1.' }],
      waiting: [],
      choices: {},
    }
  },
}

/** What the person has chosen, as the server tells it. */
const both = { inApp: true, push: true }
const type = (name, title, category, more) =>
  ({ catalog: 'rooms', name, title, category, required: false, pushOnly: false, default: both, choice: {}, effective: both, ...more })
window.chosen = {
  prefs: {
    rev: 1,
    categories: [
      { catalog: 'rooms', name: 'room', title: 'Rooms', choice: {} },
      { catalog: 'rooms', name: 'like', title: 'Likes', choice: {} },
    ],
    types: [
      type('ADDED_TO_ROOM', 'Somebody adds you to a room', 'room'),
      type('ELEMENT_ADDED', 'New photos and videos', 'room', { choice: { push: false }, effective: { inApp: true, push: false } }),
      type('ROOM_CREATED', 'A room is created with you', 'room', { pushOnly: true }),
      type('ROOM_LIKE', 'Likes of your rooms', 'like'),
      type('SECURITY', 'Sign-ins from new devices', null, { required: true }),
    ],
  },
  quiet: { rev: 1, quietHours: null, snooze: null },
  mutes: { rev: 1, mutes: [{ subject: 'actor:Tom Okafor', until: null }, { subject: 'room:Italy Trip', until: '2099-01-01T00:00:00Z' }] },
}
const { chosen } = window
Object.assign(window.inbox, {
  async prefs(patch) {
    await called('prefs')(patch)
    for (const [name, choice] of Object.entries(patch?.types ?? {})) {
      chosen.prefs.types = chosen.prefs.types.map((one) => (one.name === name ? { ...one, choice: choice ?? {}, effective: { ...both, ...choice } } : one))
    }
    for (const [name, choice] of Object.entries(patch?.categories ?? {})) {
      chosen.prefs.categories = chosen.prefs.categories.map((one) => (one.name === name ? { ...one, choice: choice ?? {} } : one))
      chosen.prefs.types = chosen.prefs.types.map((one) =>
        one.category === name && !Object.keys(one.choice).length ? { ...one, effective: { ...both, ...choice } } : one)
    }
    return chosen.prefs
  },
  async quietHours(hours) {
    await called('quietHours')(hours)
    if (hours !== undefined) chosen.quiet = { ...chosen.quiet, quietHours: hours }
    return chosen.quiet
  },
  async snooze(until) {
    await called('snooze')(until)
    chosen.quiet = { ...chosen.quiet, snooze: until && { until: until.hours ? new Date(Date.now() + until.hours * 3_600_000).toISOString() : until } }
    return chosen.quiet
  },
  async mutes() {
    return chosen.mutes
  },
  async unmute(subject) {
    await called('unmute')(subject)
    return (chosen.mutes = { rev: 2, mutes: chosen.mutes.mutes.filter((one) => one.subject !== subject) })
  },
  push: {
    state: async () => window.pushState ?? 'off',
    async enable(options) {
      await called('enable')(options)
      window.pushState = 'on'
    },
    async disable(options) {
      await called('disable')(options)
      window.pushState = 'off'
    },
  },
})
window.tell = tell
window.fill = (count, more) =>
  window.change({ items: Array.from({ length: count }, (_, index) => window.sample(index + 1)), ...more })

if (query.has('count')) window.fill(+query.get('count'))
if (query.has('theme')) {
  document.documentElement.dataset.theme = query.get('theme')
  for (const element of document.querySelectorAll('belfry-inbox, belfry-bell')) element.setAttribute('theme', query.get('theme'))
}
if (query.has('rtl')) document.documentElement.dir = 'rtl'
document.getElementById('list').inbox = window.inbox
if (query.has('preferences')) {
  const { BelfryPreferences } = await import('./belfry-preferences.js')
  const preferences = new BelfryPreferences()
  preferences.setAttribute('for', 'list')
  preferences.setAttribute('theme', query.get('theme') ?? 'light')
  document.getElementById('list').hidden = true
  document.querySelector('main').append(preferences)
}
