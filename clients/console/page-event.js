// One event: everybody it was for and what they got, and a dry run of an event that nobody has published yet.
import { call, get, ofApp } from './calls.js'
import { button, card, chip, facts, field, fill, make, number, plural, say, when } from './dom.js'
import { appChoice } from './page-person.js'
import { rendered } from './rendered.js'
import { decision } from './trail.js'
import { answer, inApp, provider } from './words.js'

export const title = 'An event'

const pageSize = '100'

const search = (app) => {
  const id = make('input', { name: 'event', autocomplete: 'off', spellcheck: 'false' })
  const publisher = make('input', { name: 'publisher', autocomplete: 'off', spellcheck: 'false', placeholder: 'uid:1000' })
  const apps = appChoice(app)
  return make('form', { class: 'bar', role: 'search', submit: (event) => {
    event.preventDefault()
    const name = id.value.trim()
    if (!name) return
    const parts = [name, publisher.value.trim() || '-', ...(apps ? [apps.value] : [])]
    location.hash = `#/event/${parts.map(encodeURIComponent).join('/')}`
  } }, field('Event id, or the publisher’s key', id), field('Publisher, for a key', publisher), apps && field('App', apps),
  make('button', { class: 'button main', type: 'submit' }, 'Look up'))
}

const decisionWords = { created: 'A notification', batched: 'In a batch', pushOnly: 'Only a push', actor: 'Their own doing', unrouted: 'No route', muted: 'Muted', preferenceOff: 'Switched off' }

const summaryOf = ({ people, created, updated, suppressed, live, acknowledged, seen, read, pushes, errors, processed, partial }) => [
  facts([
    ['People', number(people), processed ? '' : chip('still on its way', 'wait')],
    ['In the app', `${number(created)} new, ${number(updated)} in batches, ${number(suppressed)} nothing`],
    ['Connected', `${number(live)}, of whom ${number(acknowledged)} had it on a screen before their push`],
    ['Now', `${number(seen)} seen, ${number(read)} read`],
    ['Pushes', `${number(pushes.queued)} queued: ${[['sent', 'sent'], ['cancelled', 'cancelled'], ['refused', 'refused'], ['gone', 'to devices that are gone'], ['expired', 'too old'], ['dropped', 'not wanted any more'], ['waiting', 'waiting']].filter(([key]) => pushes[key]).map(([key, word]) => `${number(pushes[key])} ${word}`).join(', ') || 'none of them settled'}`],
    partial && ['Partial', 'the later steps of some people only, since they are very many'],
  ]),
  ...errors.map((one) => make('p', null, chip(`${provider(one.provider)} refused ${number(one.count)}`, 'bad'), ` ${one.reason}. `, make('span', { class: 'dim' }, one.explanation ?? ''))),
]

const groups = (recipients) => {
  const list = new Map()
  for (const one of recipients) {
    const { text } = one.push ? answer(one) : inApp(one)
    // Devices have names of their own: people with the same reason stand together.
    const reason = text.replace(/ to [^:.]*?\([A-Za-z ]+\)/g, '')
    const key = `${decisionWords[one.decision] ?? one.decision}|${reason}`
    if (!list.has(key)) list.set(key, { name: decisionWords[one.decision] ?? one.decision, reason, kind: answer(one).kind, all: [] })
    list.get(key).all.push(one)
  }
  return [...list.values()].sort((a, b) => b.all.length - a.all.length)
}

const personLink = (user, app) => `#/person/${[user, ...(app ? [app] : [])].map(encodeURIComponent).join('/')}`

const people = (recipients, app) =>
  make('div', { class: 'groups' }, ...groups(recipients).map(({ name, reason, kind, all }) =>
    make('section', { class: 'group', 'aria-label': `${name}: ${reason}` },
      make('h3', null, chip(plural(all.length, 'person', 'people'), { sent: 'good', bad: 'bad', wait: 'wait' }[kind]), ` ${name}. `, make('span', { class: 'dim' }, reason)),
      make('ol', { class: 'trail' }, ...all.map((one) => decision(one, [make('strong', null, one.user ?? 'somebody who was erased')], { link: one.user && personLink(one.user, app), linkText: 'This person' }))))))

/** An event of a catalog as a start, in the box of the dry run. */
const example = { type: '', actor: { id: 'user-123', username: 'pete', firstName: 'Pete' }, to: { owner: ['sarah'] }, data: {} }

const dryRun = (app) => {
  const input = make('textarea', { spellcheck: 'false', autocapitalize: 'none', rows: 14 })
  input.value = JSON.stringify(example, null, 2)
  const pattern = make('select', null, make('option', { value: '' }, 'an event of a catalog…'))
  const answers = make('div', { 'aria-live': 'polite', class: 'side' })
  const apps = appChoice(app)
  pattern.addEventListener('change', () => {
    const sample = pattern.selectedOptions[0]?.sample
    if (sample) input.value = JSON.stringify(sample, null, 2)
  })
  get('/console/catalogs').then(({ catalogs }) => {
    for (const catalog of catalogs) {
      pattern.append(make('optgroup', { label: catalog.title || catalog.name }, ...catalog.events.map((event) => {
        const option = make('option', { value: `${catalog.name}/${event.type}` }, event.type)
        option.sample = event.sample
        return option
      })))
    }
  }, () => {})
  const run = async () => {
    fill(answers, make('p', { class: 'dim' }, 'Trying…'))
    const path = (query) => ofApp('/v1/events', apps?.value ?? app, query)
    let event
    try {
      event = JSON.parse(input.value)
    } catch (error) {
      return fill(answers, make('p', { class: 'wrong' }, `This is not JSON: ${error.message}`))
    }
    try {
      const tried = [await call('POST', path({ dryRun: 'true' }), input.value)].flat()
      const shown = Array.isArray(event) ? [] : (await call('POST', ofApp('/console/render', apps?.value ?? app), input.value)).types
      fill(answers,
        ...tried.map((one) => make('div', { class: 'side' },
          make('p', null, `${plural(one.people, 'person', 'people')}: ${number(one.created)} new, ${number(one.updated)} in batches, ${number(one.suppressed)} nothing.`, one.replayed ? ' Its key is in use: nothing would change.' : ''),
          ...(one.warnings ?? []).map((warning) => make('p', { class: 'advice' }, warning)),
          people(one.recipients, apps?.value ?? app))),
        ...shown.map(rendered))
    } catch (error) {
      const place = error.problem?.pointer
      fill(answers, make('p', { class: 'wrong' }, error.message), place && make('p', { class: 'dim' }, `at ${place}`))
    }
  }
  return card('Dry run: who would get what?', null,
    make('p', { class: 'dim' }, 'Paste an event. Nothing is sent and nothing changes. You see everybody whom it would reach, and each text in every language of its catalog.'),
    make('div', { class: 'bar' }, field('Start with', pattern), apps && field('App', apps)),
    field('Event, as JSON', input), make('p', { class: 'actions' }, button('Try it out', run, 'main')), answers)
}

export const show = async (page, name, publisher, app) => {
  const head = [make('div', { class: 'head' }, make('h1', null, 'An event')), search(app)]
  if (!name) {
    fill(page, head, dryRun(app))
    return undefined
  }
  const isKey = publisher && publisher !== '-'
  const path = (query) => isKey || !name.startsWith('evt_')
    ? ofApp('/v1/trail', app, { key: name, ...(isKey ? { publisher } : {}), ...query })
    : ofApp(`/v1/trail/${encodeURIComponent(name)}`, app, query)
  const refresh = async () => {
    const found = await get(path({ limit: pageSize }))
    const { event, summary } = found
    const all = found.recipients
    const list = make('div')
    const more = make('p', { class: 'actions' })
    let next = found.next
    const drawList = () => {
      fill(list, people(all, app))
      fill(more, make('span', { class: 'dim' }, `${number(all.length)} of ${number(summary.people)} shown.`), next !== undefined && button('More', async () => {
        const page = await get(path({ limit: pageSize, after: `${next}` }))
        all.push(...page.recipients)
        next = page.next
        drawList()
      }))
    }
    drawList()
    const retract = event.key && !event.retractedAt && button('Take it back…', () => confirm(`Take back the event with the key “${event.key}”? Its notifications go, and pushes that wait are cancelled.`) && call('DELETE', ofApp(`/v1/events/${encodeURIComponent(event.key)}`, app, { publisher: event.publisher })).then((done) => {
      say(`Taken back: ${plural(done.removed, 'notification')} removed, ${plural(done.updated, 'batch', 'batches')} changed, ${plural(done.pushesCancelled, 'push', 'pushes')} cancelled.`)
      return refresh()
    }), 'danger')
    fill(page, head,
      make('div', { class: 'head' }, make('h2', { class: 'name' }, event.type), make('p', { class: 'actions' }, button('Read again', refresh), retract)),
      card('What it was', null, facts([
        ['Id', make('code', null, event.id)],
        ['Publisher', event.publisher], ['Key', event.key ?? 'none: it cannot be taken back'], ['Actor', event.actor ?? 'nobody'],
        ['Taken in', when(event.acceptedAt)], event.occurredAt && ['Occurred', when(event.occurredAt)],
        event.repeats && ['Repeated', `${plural(event.repeats, 'time')}, last `, when(event.repeatedAt)],
        event.retractedAt && ['Taken back', when(event.retractedAt)],
        event.feeds && ['Feeds', event.feeds.map((one) => `${one.feed}, ${one.offset}`).join('; ')],
      ]), ...summaryOf(summary)),
      card('Everybody it was for', null, list, more))
  }
  await refresh()
  return undefined
}
