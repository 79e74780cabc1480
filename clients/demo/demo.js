/** The demo: two phones, what their lock screens show, and events to publish. */

const byId = (id) => document.getElementById(id)
const make = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties)
  node.append(...children.filter((child) => child))
  return node
}

const call = async (method, path, body, token) => {
  const answer = await fetch(path, {
    method,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    body: body && JSON.stringify(body),
  })
  const content = await answer.json()
  if (!answer.ok) throw new Error(content.detail ?? answer.statusText)
  return content
}

// Phones

/** What the phone's push token is: APNs tokens are written in hexadecimal. */
const pushTokenOf = (person) => [...new TextEncoder().encode(`demo-${person}`)].map((byte) => byte.toString(16)).join('')

const card = ({ title, body, at }) =>
  make('li', { className: 'card' },
    make('div', { className: 'card-head' },
      make('span', { className: 'card-app', textContent: 'Belfry' }),
      make('time', { textContent: ago(at) })),
    title && make('p', { className: 'card-title', textContent: title }),
    body && make('p', { className: 'card-body', textContent: body }))

const keyOf = ({ title, body, at }) => JSON.stringify([title, body, at])

const ago = (at) => {
  const minutes = Math.floor((Date.now() - at) / 60_000)
  return minutes < 1 ? 'now' : minutes < 60 ? `${minutes}m ago` : new Date(at).toLocaleTimeString([], { timeStyle: 'short' })
}

/** For how long an open phone shows a push, as phones do. */
const bannerTime = 5_000

class Phone {
  constructor({ id, name }) {
    this.id = id
    this.name = name
    this.pushToken = pushTokenOf(id)
    this.cards = []
    /** What stands on the screen, by push: what stays is not drawn anew, and comes in once. */
    this.drawn = new Map()
    /** When this page first heard of each push, by its own clock. */
    this.heardAt = new Map()
    // What was on the lock screen is gone once the phone was unlocked.
    this.unlockedAt = 0
    const section = byId('phone').content.cloneNode(true).firstElementChild
    section.querySelector('h2').textContent = name
    section.setAttribute('aria-label', `${name}’s phone`)
    for (const button of section.querySelectorAll('[data-state]')) {
      button.addEventListener('click', () => this.switch(button.dataset.state))
    }
    section.querySelector('.lock').addEventListener('click', ({ target }) => target.closest('.card') && this.switch('open'))
    this.section = section
    this.find = (selector) => section.querySelector(selector)
    this.switch('open')
  }

  switch(state) {
    this.state = state
    this.section.dataset.state = state
    for (const button of this.section.querySelectorAll('[data-state]')) {
      button.setAttribute('aria-pressed', String(button.dataset.state === state))
    }
    const app = this.find('.app')
    if (state === 'open') {
      this.unlockedAt = Date.now()
      // The app's session begins with it, and ends when the frame goes.
      if (!app.firstChild) app.append(make('iframe', { title: `${this.name}’s inbox`, src: `/demo/person.html?to=${this.id}&name=${encodeURIComponent(this.name)}` }))
    } else {
      app.replaceChildren()
    }
    this.draw()
  }

  /** A phone is known to the server whether its app is open or not. */
  async register() {
    const { token } = await call('POST', `/demo/token?to=${this.id}`)
    await call('PUT', `/api/devices/demo-${this.id}`, { provider: 'apns', token: this.pushToken, permission: 'granted' }, token)
  }

  show(phones) {
    const mine = phones.find(({ device }) => device === this.pushToken)
    this.cards = (mine?.stacks ?? []).flatMap(({ cards }) => cards).sort((one, other) => other.at - one.at)
    const now = Date.now()
    this.heardAt = new Map(this.cards.map((one) => [keyOf(one), this.heardAt.get(keyOf(one)) ?? now]))
    if (mine && mine.badge !== this.pushedBadge) this.count((this.pushedBadge = mine.badge))
    this.draw()
  }

  /** The number on the app's icon: the newest word counts, a push's or that of the app itself. */
  count(number) {
    const badge = this.find('.badge')
    badge.hidden = !number
    badge.textContent = number || ''
    this.find('.icon').setAttribute('aria-label', number ? `The app’s icon, with the number ${number}` : 'The app’s icon')
  }

  /** Whether most of the phone is in the window. */
  get isInView() {
    const { top, bottom, left, right } = this.find('.phone').getBoundingClientRect()
    const share = (from, to, size) => (Math.min(to, size) - Math.max(from, 0)) / (to - from)
    return share(top, bottom, innerHeight) > .5 && share(left, right, innerWidth) > .5
  }

  draw() {
    const now = new Date()
    const isOpen = this.state === 'open'
    const isPassing = (one) => isOpen && now - this.heardAt.get(keyOf(one)) >= bannerTime
    const fresh = this.cards.filter((one) => one.at > this.unlockedAt && !isPassing(one))
    this.find('.clock').textContent = now.toLocaleTimeString([], { hour: 'numeric', minute: '2-digit', hourCycle: 'h23' })
    this.find('.date').textContent = now.toLocaleDateString([], { weekday: 'long', day: 'numeric', month: 'long' })
    const drawn = new Map(fresh.map((one) => {
      const key = isOpen + keyOf(one)
      return [key, this.drawn.get(key) ?? card(one)]
    }))
    const host = this.find(isOpen ? '.banners' : '.lock .cards')
    if ([...drawn.keys()].join() !== [...this.drawn.keys()].join()) {
      for (const list of this.section.querySelectorAll('.cards')) if (list !== host) list.replaceChildren()
      for (const [key, node] of this.drawn) if (!drawn.has(key)) node.remove()
      // One that stays keeps its place, as moving it would have it come in again.
      let next = host.firstChild
      for (const node of drawn.values()) {
        if (node === next) next = next.nextSibling
        else host.insertBefore(node, next)
      }
      this.drawn = drawn
    }
    for (const [index, { at }] of fresh.entries()) host.children[index].querySelector('time').textContent = ago(at)
    this.find('.empty').textContent = noSink && !isOpen ? 'Pushes go to the services that the settings name.' : ''
  }
}

let phones = []
let noSink = false

addEventListener('message', ({ origin, source, data }) => {
  if (origin !== location.origin || typeof data?.unread !== 'number') return
  phones.find((phone) => phone.find('iframe')?.contentWindow === source)?.count(data.unread)
})

const watch = async () => {
  try {
    if (document.visibilityState === 'visible') {
      const answer = await fetch('/demo/screens')
      noSink = answer.status === 404
      const { phones: shown = [] } = await answer.json()
      for (const phone of phones) phone.show(shown)
    }
  } catch {
    // The server is away: what was shown last stays, and the next look tells.
  }
  setTimeout(watch, 700)
}

// Events

let catalogs = []
let chosen = null
let to = []
let catalog = ''

const toggles = (host, entries, isOn, choose) =>
  host.replaceChildren(...entries.map(([value, label]) => {
    const button = make('button', { type: 'button', textContent: label })
    button.setAttribute('aria-pressed', String(isOn(value)))
    button.addEventListener('click', () => choose(value))
    return button
  }))

const words = (type) => {
  const text = type.replaceAll('_', ' ')
  return text[0].toUpperCase() + text.slice(1)
}

const drawPanel = () => {
  const everybody = phones.map(({ id }) => id)
  toggles(byId('to'), [...phones.map(({ id, name }) => [id, name]), [everybody.join(), 'Both']],
    (value) => value === to.join(), (value) => load(value.split(',')))
  toggles(byId('catalogs'), catalogs.map(({ name, title }) => [name, title]), (value) => value === catalog, (value) => {
    catalog = value
    chosen = null
    drawPanel()
  })
  const { events = [] } = catalogs.find(({ name }) => name === catalog) ?? {}
  chosen = events.find(({ type }) => type === chosen?.type) ?? events[0]
  byId('events').replaceChildren(...events.map((event) => {
    const button = make('button', { type: 'button' },
      make('span', { className: 'event-name', textContent: words(event.type) }),
      make('span', { className: 'event-text', textContent: event.text ?? event.type }))
    button.addEventListener('click', () => publish(event))
    for (const sign of ['pointerenter', 'focus']) button.addEventListener(sign, () => showCall(event))
    return make('li', {}, button)
  }))
  if (chosen) showCall(chosen)
}

const showCall = (event) => {
  chosen = event
  byId('call').textContent = event.call
}

const publish = async (event) => {
  showCall(event)
  try {
    const { created, updated, suppressed } = await call('POST', `/demo/publish?type=${encodeURIComponent(event.type)}&to=${to}`)
    const parts = [created && `${created} new`, updated && `${updated} added to one that was there`, suppressed && `${suppressed} not told`]
    say(`${words(event.type)}: ${parts.filter(Boolean).join(', ') || 'nothing'}`)
    // On a small screen the events stand below the phones, and nobody would see what came of a tap.
    const told = phones.filter(({ id }) => to.includes(id))
    if (!told.some((phone) => phone.isInView)) told[0].section.scrollIntoView({ block: 'start', inline: 'center' })
  } catch ({ message }) {
    say(message)
  }
}

const say = (text) => (byId('answer').textContent = text)

/** Reads the events as they are for these people. */
const load = async (people) => {
  to = people
  const content = await call('GET', `/demo/events?to=${people}`)
  catalogs = content.catalogs.filter(({ events }) => events.length)
  if (!catalogs.some(({ name }) => name === catalog)) catalog = (catalogs.find(({ name }) => name === 'rooms') ?? catalogs[0])?.name
  drawPanel()
}

byId('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText(byId('call').textContent)
  byId('copy').textContent = 'Copied'
  setTimeout(() => (byId('copy').textContent = 'Copy'), 1500)
})

try {
  const { people } = await call('GET', '/demo/events')
  phones = people.map((person) => new Phone(person))
  byId('people').append(...phones.map(({ section }) => section))
  await load([people[0].id])
  await Promise.all(phones.map((phone) => phone.register()))
  watch()
} catch ({ message }) {
  say(message)
}
