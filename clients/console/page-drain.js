// What happens when this node leaves, and when; and what it does if it is leaving.
import { get } from './calls.js'
import { button, card, chip, facts, fill, make, number, plural } from './dom.js'

export const title = 'Drain'

export const show = async (page) => {
  const place = make('div', { class: 'side' })
  const refresh = async () => {
    const plan = await get('/console/drain')
    const steps = [
      ['at once', '/readyz fails, the listeners close, and no more pushes begin.'],
      ['at once', `${plural(plan.sessions, 'session')} ${plan.sessions === 1 ? 'is' : 'are'} told when to come back, each at its own moment, at random.`],
      ['within 2 s', 'Requests that were taken in are stored and answered. Then the store closes, and another process may have the folder.'],
      plan.sessions > 0 && [`from ${number(plan.firstSeconds)} s on`, `${number(plan.rate)} sessions a second are closed: ${plan.rateFrom}.`],
      plan.sessions > 0 && [`after ${number(plan.lastSeconds)} s`, 'The last session has come back elsewhere.'],
      [`after ${number(plan.deadlineSeconds)} s at most`, 'What is still open is closed, and the process ends.'],
    ].filter(Boolean)
    fill(place,
      card(plan.isLeaving ? 'This node is leaving' : 'If this node left now', null,
        plan.isLeaving ? make('p', null, chip('leaving', 'wait'), ` ${number(plan.currentRate)} sessions a second, ${plural(plan.sessions, 'session')} left.`) : make('p', { class: 'dim' }, 'A node leaves by SIGTERM. Nothing on this page makes it leave.'),
        make('ol', { class: 'timeline' }, ...steps.map(([time, what]) => make('li', null, make('strong', null, time), make('span', null, what))))),
      card('What decides', null, facts([
        ['drain.rate', plan.setRate ? `${number(plan.setRate)} a second` : 'not set: as fast as this node has taken clients in'],
        ['Taken in at most', `${number(plan.measuredRate)} clients a second`], ['drain.deadline', `${number(plan.deadlineSeconds)} s`],
        ['Connections', number(plan.connections)], ['Pushes under way', number(plan.pushesInFlight)],
      ])))
  }
  fill(page, make('div', { class: 'head' }, make('h1', null, 'Drain'), button('Read again', refresh)), place)
  await refresh()
  return undefined
}
