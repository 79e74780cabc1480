// What nobody else shows: whether counts are exact, and whether pushes were worth sending.
import { get } from './calls.js'
import { button, card, chip, facts, fill, make, number, when } from './dom.js'

export const title = 'Quality'

const percent = (part, whole) => (whole ? `${number((part / whole) * 100)} %` : '–')
const time = (seconds) => (seconds == null ? '–' : seconds < 60 ? `${number(seconds)} s` : seconds < 3_600 ? `${number(seconds / 60)} min` : `${number(seconds / 3_600)} h`)

const bars = (buckets) => {
  const most = Math.max(1, ...buckets.map(({ count }) => count))
  return make('ol', { class: 'bars' }, ...buckets.map(({ label, count }) =>
    make('li', null, make('span', null, label), make('meter', { min: 0, max: most, value: count, 'aria-label': `seen ${label}` }), make('span', null, number(count)))))
}

export const show = async (page) => {
  const place = make('div', { class: 'plots' })
  const refresh = async () => {
    const told = await get('/console/quality')
    const { drift, pushes, seen } = told
    fill(place,
      card('Unread drift', null,
        make('p', { class: 'big' }, drift ? number(drift.value) : '–'),
        make('p', null, !drift ? chip('not counted yet', 'wait') : drift.value === 0 ? chip('exact', 'good') : chip('a defect: please report it', 'bad')),
        drift
          ? make('p', { class: 'dim' }, 'By how much the counts of all inboxes differ from their rows. Counted ', when(drift.countedAt), `: ${number(drift.inboxes)} inboxes, ${number(drift.notifications)} notifications.`)
          : make('p', { class: 'dim' }, 'A large store is counted in the background, which takes minutes after the start.')),
      card('Pushes saved', null,
        make('p', { class: 'big' }, number(pushes.saved)),
        make('p', { class: 'dim' }, 'Pushes that did not leave, since a screen acknowledged the notification before.'),
        facts([['Accepted', number(pushes.accepted)], ['Share saved', percent(pushes.saved, pushes.saved + pushes.accepted)]])),
      card('Pushes that were not needed', null,
        make('p', { class: 'big' }, number(pushes.unneeded)),
        make('p', { class: 'dim' }, 'Pushes after which the person’s app said within a minute that they had looked. A tap on the push counts, too: so this is the most that a longer push.grace could save.'),
        facts([['Of those accepted', percent(pushes.unneeded, pushes.accepted)]])),
      card('From publish to seen', null,
        make('p', { class: 'big' }, time(seen.medianSeconds)),
        make('p', { class: 'dim' }, `The median of the last ${number(seen.count)} in a sample of people. It begins with the first notification that somebody had not seen, and ends when their app says that it was seen or read.`),
        bars(seen.buckets)))
  }
  fill(page, make('div', { class: 'head' }, make('h1', null, 'Quality'), button('Read again', refresh)),
    make('p', { class: 'dim' }, 'Counted by this node since it started, but for the drift, which is of the whole store.'), place)
  await refresh()
  return undefined
}
