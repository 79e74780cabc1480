// Feeds by their catalogs, and who is in a topic.
import { get, ofApp, ofUser } from './calls.js'
import { button, card, chip, field, fill, make, number, plural, table } from './dom.js'
import { appChoice } from './page-person.js'

export const title = 'Feeds and topics'

export const show = async (page, name, app) => {
  const { catalogs } = await get('/console/catalogs')
  const input = make('input', { value: name, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'none' })
  const user = make('input', { autocomplete: 'off', spellcheck: 'false', autocapitalize: 'none' })
  const apps = appChoice(app)
  const topics = make('div', { 'aria-live': 'polite' })
  const members = async () => {
    const wanted = input.value.trim()
    if (!wanted) return
    const all = []
    let next
    const more = async () => {
      const found = await get(ofApp(`/v1/topics/${encodeURIComponent(wanted)}/members`, apps?.value ?? app, { limit: '100', ...(next ? { after: next } : {}) }))
      all.push(...(found.members ?? found.users ?? []))
      next = found.next
      fill(topics,
        make('p', null, `${wanted}: `, all.length ? plural(all.length, 'member') + (next ? ' and more' : '') : 'nobody is in it. A topic is there once somebody is.'),
        make('ul', { class: 'chips' }, ...all.map((one) => make('li', null, make('a', { class: 'chip', href: `#/person/${encodeURIComponent(one.user ?? one)}` }, one.user ?? one)))),
        next && button('More', more))
    }
    await more()
  }
  const ofPerson = async () => {
    const wanted = user.value.trim()
    if (!wanted) return
    const found = await get(ofUser(wanted, apps?.value ?? app, '/topics'))
    fill(topics, make('p', null, `${wanted} is in ${plural(found.topics.length, 'topic')}.`), make('ul', { class: 'chips' }, ...found.topics.map((one) => make('li', null, chip(one.topic ?? one)))))
  }
  const form = (label, control, text, act) => make('form', { class: 'bar', submit: (event) => {
    event.preventDefault()
    act().catch((error) => fill(topics, make('p', { class: 'wrong' }, error.message)))
  } }, field(label, control), make('button', { class: 'button', type: 'submit' }, text))
  const rules = catalogs.flatMap((catalog) => catalog.feedRules.map((rule) => ({ catalog, rule })))
  fill(page, make('div', { class: 'head' }, make('h1', null, 'Feeds and topics')),
    card('Topics', null, form('Topic', input, 'Who is in it?', members), form('User id', user, 'Which topics?', ofPerson), topics),
    card('Feeds that catalogs name', null, table('Feeds', ['Feed', 'Catalog', 'Who may read', 'Keeps', 'Filled by'], rules.map(({ catalog, rule }) => [
      make('strong', null, rule.name), catalog.name, rule.access, rule.keeps ? `${number(rule.length)} items` : chip('live only'),
      catalog.events.filter(({ feeds }) => feeds.includes(rule.name)).map(({ type }) => type).join(', ') || 'backends',
    ]), 'No catalog has a rule for feeds. Other feeds are open to everybody, unless feeds.undeclared refuses them.')))
  if (name) await members()
  return undefined
}
