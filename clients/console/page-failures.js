// Pushes that failed lately: by reason, with advice, and another try for those that can have one.
import { call, get } from './calls.js'
import { button, card, chip, fill, make, number, plural, say, table, when } from './dom.js'
import { provider } from './words.js'

export const title = 'Failed pushes'

const personLink = ({ user, app }) => make('a', { href: `#/person/${[user, ...(app ? [app] : [])].map(encodeURIComponent).join('/')}` }, user)

const group = (list, refresh) => {
  const [first] = list
  const retryable = list.filter((one) => one.canRetry)
  return card(`${provider(first.provider)}: ${first.reason}`, {
    actions: retryable.length > 0 && button(`Try ${retryable.length === 1 ? 'it' : `all ${retryable.length}`} again`, async () => {
      const verdicts = []
      for (const one of retryable) verdicts.push(await call('POST', `/console/failures/${one.id}/retry`))
      const taken = verdicts.filter(({ verdict }) => verdict === 'accepted').length
      const not = verdicts.find(({ verdict }) => verdict !== 'accepted')
      say(`${plural(taken, 'push', 'pushes')} accepted of ${plural(verdicts.length, 'try', 'tries')}.${not ? ` ${not.explanation}` : ''}`)
      await refresh()
    }, 'main'),
  },
  make('p', null, chip(plural(list.length, 'push', 'pushes'), 'bad'), ' ', first.advice),
  table(`Pushes with ${first.reason}`, ['When', 'Person', 'Device', 'Notification', 'Again'], list.slice(0, 50).map((one) => [
    when(one.at), personLink(one), one.device, one.notification ?? 'the icon’s number',
    one.retriedAs ? chip(one.retriedAs, one.retriedAs === 'accepted' ? 'good' : 'bad') : one.canRetry ? 'possible' : make('span', { class: 'dim' }, one.why),
  ])))
}

export const show = async (page) => {
  const place = make('div', { class: 'side' })
  const services = make('div')
  const refresh = async () => {
    const [{ failures, capacity }, { lanes }] = await Promise.all([get('/console/failures'), get('/v1/push')])
    const groups = Object.values(Object.groupBy(failures, (one) => `${one.provider} ${one.kind} ${one.reason}`)).sort((a, b) => b.length - a.length)
    fill(place, groups.length
      ? groups.map((list) => group(list, refresh))
      : card('Nothing has failed', null, make('p', { class: 'dim' }, `Since this node started, every push was accepted, or is still being tried. The last ${number(capacity)} failures of this node stand here.`)))
    const troubled = lanes.filter((lane) => lane.state !== 'open' || lane.lastFailure)
    fill(services, troubled.length > 0 && card('Services that do not answer well', null, table('Services', ['Service', 'State', 'Last failure', 'Meaning'], troubled.map((lane) => [
      provider(lane.provider), chip(lane.state, lane.state === 'open' ? 'good' : 'bad'),
      lane.lastFailure ? [lane.lastFailure.reason, ' ', when(lane.lastFailure.at)] : '–', lane.lastFailure?.explanation ?? '',
    ]))))
  }
  fill(page, make('div', { class: 'head' }, make('h1', null, 'Failed pushes'), button('Read again', refresh)), services, place)
  await refresh()
  return undefined
}
