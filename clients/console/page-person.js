// One person: why they got something, or did not; and what they have.
import './belfry-elements.js'
import { call, get, getOr, me, ofUser } from './calls.js'
import { button, card, chip, facts, field, fill, make, number, plural, say, table, when } from './dom.js'
import { decision, eventLink, eventTitle } from './trail.js'
import { answer, provider, step } from './words.js'

export const title = 'A person'

/** The apps to choose from, where there are several. */
export const appChoice = (app) => {
  if (me.apps.length < 2) return undefined
  const select = make('select', { name: 'app' }, ...me.apps.map((name) => make('option', { value: name }, name || 'without a name')))
  select.value = app ?? me.apps[0]
  return select
}

const search = (user, app) => {
  const input = make('input', { name: 'user', value: user, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'none', required: true })
  const apps = appChoice(app)
  return make('form', { class: 'bar', role: 'search', submit: (event) => {
    event.preventDefault()
    const name = input.value.trim()
    if (name) location.hash = `#/person/${encodeURIComponent(name)}${apps ? `/${encodeURIComponent(apps.value)}` : ''}`
  } }, field('User id', input), apps && field('App', apps), make('button', { class: 'button main', type: 'submit' }, 'Look up'))
}

/** An inbox for the element that only shows. */
const still = (items, { unread, unseen }) => ({
  snapshot: Object.freeze({ status: 'live', synced: true, unread, unseen, items, more: false }),
  subscribe: () => () => {},
  on: () => () => {},
  ...Object.fromEntries(['read', 'seen', 'remove', 'loadMore', 'clear'].map((name) => [name, async () => {}])),
})

const inboxOf = (page) => {
  if (!page) return make('p', { class: 'dim' }, 'Nothing was ever published to this person.')
  const element = make('belfry-inbox', { class: 'inbox', inert: true })
  element.inbox = still(page.data, page.meta)
  return element
}

/** The last word of a push service about each device, from the trail. */
const verdicts = (entries) => {
  const last = new Map()
  for (const { decisions } of entries) {
    for (const { steps = [] } of decisions) {
      for (const one of steps) if (one.device && ['sent', 'refused', 'deviceGone', 'expired', 'putOff', 'retried'].includes(one.step) && !(last.get(one.device)?.at > one.at)) last.set(one.device, one)
    }
  }
  return last
}

const devicesOf = (devices, entries) => {
  const last = verdicts(entries)
  return table('Devices', ['Device', 'Service', 'Permission', 'Icon', 'Last seen', 'Last verdict'], devices.map((one) => {
    const verdict = last.get(one.id)
    return [
      [make('strong', null, one.id), one.platform && make('span', { class: 'dim' }, ` ${one.platform}`)].filter(Boolean),
      provider(one.provider),
      one.awaitsToken ? chip('awaits its token', 'wait') : chip(one.permission ?? 'not told', one.permission === 'denied' ? 'bad' : one.permission === 'granted' ? 'good' : ''),
      number(one.badge),
      when(one.lastSeenAt),
      verdict ? [chip(verdict.reason ?? verdict.verdict ?? { sent: 'accepted', deviceGone: 'gone', putOff: 'put off' }[verdict.step] ?? 'too old', step(verdict).kind === 'sent' ? 'good' : 'bad'), ' ', when(verdict.at)] : '–',
    ]
  }), 'No device: no push can reach this person.')
}

const sessionsOf = (sessions, seq) =>
  table('Sessions', ['On a screen', 'Address', 'Open for', 'Behind by', 'Waiting'], sessions.map((one) => [
    one.active ? chip('on a screen', 'good') : chip('in the background'),
    one.address ?? make('span', { class: 'dim' }, 'on another node'),
    one.minutes === undefined ? '–' : one.minutes < 1 ? 'less than a minute' : one.minutes < 120 ? plural(one.minutes, 'minute') : plural(Math.round(one.minutes / 60), 'hour'),
    one.seq === undefined ? '–' : seq - one.seq > 0 ? plural(seq - one.seq, 'change') : 'nothing',
    one.waitingBytes === undefined ? '–' : one.waitingBytes ? `${plural(one.waitingBytes, 'byte')}${one.behind ? ', frames left out' : ''}` : 'nothing',
  ]), 'No session is open.')

const quietWords = (settings) => {
  const days = (list) => (list?.length === 7 || !list ? 'every day' : list.join(', '))
  const windows = settings.quietHours?.windows ?? []
  return windows.length ? windows.map((one) => `${days(one.days)} ${one.from}–${one.to}`).join('; ') : 'none'
}

const choicesOf = (settings, choices, preferences) => {
  const types = preferences.types.filter((one) => Object.keys(one.choice).length || !one.effective.inApp || !one.effective.push)
  return [
    facts([
      ['Quiet hours', quietWords(settings), choices?.quietZone ? make('span', { class: 'dim' }, ` in ${choices.quietZone.is}`) : ''],
      ['Snooze', settings.snooze ? when(settings.snooze.until ?? settings.snooze) : 'none'],
      ['Muted', (choices?.mutes ?? []).map(({ subject }) => subject).join(', ') || 'nothing'],
    ]),
    table('Types that are not wholly on', ['Type', 'In the app', 'Push', 'Chosen'], types.map((one) => [
      one.title === one.name ? one.name : [one.title, make('span', { class: 'dim' }, ` ${one.name}`)],
      one.effective.inApp ? chip('on', 'good') : chip('off'),
      one.effective.push ? chip('on', 'good') : chip('off'),
      Object.keys(one.choice).length ? 'by the person' : one.required ? 'for everybody' : 'by default, or for the category',
    ]), 'All types are on, in the app and as pushes.'),
  ]
}

const results = (list) =>
  table('Answers of the push services', ['Device', 'Service', 'Verdict', 'Meaning'], list.map((one) => [
    one.device, provider(one.provider), chip(one.reason ?? one.verdict, one.verdict === 'accepted' ? 'good' : 'bad'), one.explanation ?? '',
  ]), 'No device, so nothing was sent.')

/** Saves a value as a file of the operator's. */
const save = (name, value) => {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
  make('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Asks for the person's name before something that cannot be undone. */
const confirmErase = (user, erase) => {
  const input = make('input', { autocomplete: 'off', spellcheck: 'false', autocapitalize: 'none' })
  const go = button('Erase everything', async () => {
    if (input.value !== user) return say('Type the user id exactly.')
    await erase()
    dialog.close()
  }, 'danger')
  const dialog = make('dialog', { 'aria-label': `Erase ${user}`, close: () => dialog.remove() },
    make('h2', null, `Erase ${user}?`),
    make('p', null, 'The inbox, devices, settings, topics, marks and the trail of this person go, here and on all nodes. This cannot be undone.'),
    field(`To confirm, type ${user}`, input),
    make('p', { class: 'actions' }, make('button', { class: 'button', click: () => dialog.close() }, 'Cancel'), go))
  document.body.append(dialog)
  dialog.showModal()
}

export const show = async (page, user, app) => {
  const head = [make('div', { class: 'head' }, make('h1', null, user ?? 'A person')), search(user, app)]
  if (!user) {
    fill(page, head, make('p', { class: 'dim' }, 'Enter the id that your backend uses for this person. You see at once what was decided about them lately, and why.'))
    page.querySelector('input').focus()
    return undefined
  }
  const path = (rest, query) => ofUser(user, app, rest, query)
  const nothing = { entries: [], choices: null }
  const load = () => Promise.all([
    getOr(nothing, path('/trail', { limit: '50' }), 'unknown_user'),
    get(path('/sessions')), get(path('/devices')), get(path('/settings')), get(path('/preferences')).then(({ data }) => data),
    getOr(null, path('/notifications', { limit: '20' }), 'unknown_user'), getOr(null, path(''), 'unknown_user'),
  ])
  const refresh = async () => draw(await load())
  const answers = make('div', { 'aria-live': 'polite' })

  const draw = ([trail, { sessions }, { devices }, settings, preferences, inbox, profile]) => {
    const meta = inbox?.meta
    const active = sessions.filter((one) => one.active).length
    const isKnown = inbox || devices.length || profile
    const items = trail.entries.flatMap(({ event, decisions }) => decisions.map((one) => ({ event, one })))
    const counts = Object.groupBy(items, ({ one }) => answer(one).kind)
    const list = make('ol', { class: 'trail' }, ...items.map(({ event, one }, place) => decision(one, eventTitle(event), { isOpen: place === 0, link: eventLink(event) })))
    const more = trail.next && button('Older', async () => {
      const older = await get(path('/trail', { limit: '50', before: trail.next }))
      list.append(...older.entries.flatMap(({ event, decisions }) => decisions.map((one) => decision(one, eventTitle(event), { link: eventLink(event) }))))
      trail.next = older.next
      if (!older.next) more.remove()
    })
    fill(page, head,
      make('p', { class: 'chips' },
        isKnown ? '' : chip('unknown', 'bad'),
        chip(sessions.length ? plural(sessions.length, 'session') : 'no session', sessions.length ? 'good' : ''),
        active ? chip('on a screen now', 'good') : chip('not looking'),
        chip(plural(devices.length, 'device'), devices.length ? '' : 'bad'),
        meta && chip(`${number(meta.unread)} unread`), meta && chip(`${number(meta.unseen)} unseen`),
        settings.snooze && chip('snoozed', 'wait')),
      make('p', { class: 'actions' },
        button('Send a test push', async () => {
          const sent = await call('POST', path('/test-push'), {})
          fill(answers, results(sent.results))
        }, 'main'),
        button('Resend the icon’s number', async () => {
          const sent = await call('POST', path('/resend-badge'))
          fill(answers, results(sent.results))
        }),
        button('End all sessions', async () => {
          const ended = await call('POST', path('/disconnect'))
          say(`${plural(ended.sessions, 'session')} ended. Their apps may come back at once.`)
          await refresh()
        }),
        button('Sign out everywhere', async () => {
          const ended = await call('POST', path('/revoke'))
          say(`${plural(ended.sessions, 'session')} ended. Tokens from before ${ended.issuedBefore} are refused.`)
          await refresh()
        }),
        button('Export', async () => save(`belfry-${user.replace(/[^A-Za-z0-9._-]/g, '_')}.json`, await get(path('/export')))),
        button('Erase…', () => confirmErase(user, async () => {
          const report = await call('DELETE', path(''))
          say(`Erased: ${plural(report.notifications, 'notification')}, ${plural(report.devices, 'device')}, ${plural(report.trailEntries, 'entry', 'entries')} of the trail.`)
          await refresh()
        }), 'danger')),
      answers,
      make('div', { class: 'columns' },
        card('Why did they get it, or not?', { class: 'wide', actions: button('Read again', refresh) },
          items.length ? make('p', { class: 'dim' }, `The latest ${items.length}: ${[['sent', 'sent'], ['none', 'without a push'], ['wait', 'waiting'], ['bad', 'failed']].filter(([kind]) => counts[kind]).map(([kind, word]) => `${counts[kind].length} ${word}`).join(', ')}.`) : '',
          items.length ? list : make('div', null, make('p', null, 'Nothing was decided about this person lately.'), make('p', { class: 'dim' }, 'No event of the last days named them, by their id or by a topic. If one should have: ask the publisher for the event’s key, and look it up under “An event”.')),
          more),
        make('div', { class: 'side' },
          card('Inbox as they see it', null, inboxOf(inbox)),
          card('Sessions', null, sessionsOf(sessions, meta?.seq ?? 0)),
          card('Devices', null, devicesOf(devices, trail.entries)),
          card('Choices', null, ...choicesOf(settings, trail.choices, preferences)),
          profile && card('Profile', null, make('pre', { tabindex: 0 }, JSON.stringify(profile, null, 2))))))
  }
  await refresh()
  return undefined
}
