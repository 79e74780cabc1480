// Decisions about a person, or about the people of an event, as a list.
import { chip, make, timeText, when } from './dom.js'
import { answer, hold, inApp, state, step } from './words.js'

const marks = { sent: '✓', none: '–', wait: '…', bad: '!', info: 'i' }
const kinds = { sent: 'Sent', none: 'No push', wait: 'Waits', bad: 'Failed', info: 'Note' }

const mark = (kind) => make('span', { class: `mark-of ${kind}`, role: 'img', 'aria-label': kinds[kind] }, marks[kind])

const line = (time, { kind, text }) => make('li', null, mark(kind), make('span', null, text), time)

/** Everything that is known of one decision, in order. */
const steps = (one) =>
  make('ol', { class: 'steps' },
    line(null, inApp(one)),
    one.push?.decision === 'queued' && line(make('span', { class: 'dim' }, `due ${timeText(one.push.due)}`), hold(one.push)),
    ...(one.steps ?? []).map((some) => line(when(some.at), step(some))),
    ...(one.waiting ?? []).map((some) => line(make('span', { class: 'dim' }, `due ${timeText(some.due)}`), { kind: 'wait', text: `A push to ${some.device} waits.` })))

/** One decision: the answer first, then how it came to it. `title` is what it is about, `link` leads further. */
export const decision = (one, title, { isOpen, link, linkText = 'The whole event, with everybody it was for' } = {}) => {
  const { kind, text, advice } = answer(one)
  const node = make('details', { class: `decision ${kind}`, open: isOpen },
    make('summary', null, mark(kind),
      make('span', { class: 'summary' },
        make('span', { class: 'title' }, ...title),
        make('span', { class: 'answer' }, text),
        advice && make('span', { class: 'advice' }, advice))),
    make('div', { class: 'more' },
      link && make('p', null, make('a', { href: link }, linkText)),
      make('p', { class: 'chips' }, one.type && chip(one.type), one.state && chip(state(one.state)), one.notification && chip(one.live ? 'was connected' : 'was not connected')),
      steps(one)))
  return make('li', null, node)
}

export const eventLink = (event) => `#/event/${encodeURIComponent(event.id)}`

/** The title of a decision in a person's list. */
export const eventTitle = (event) => [
  make('strong', null, event.type),
  make('span', { class: 'dim' }, ` ${event.actor ? `by ${event.actor}, ` : ''}`, when(event.acceptedAt)),
]
