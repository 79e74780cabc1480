// What the server does at this moment, and in the last hour.
import { get, me } from './calls.js'
import { button, bytes, card, chip, fill, make, number, plural, set, table, when, write } from './dom.js'
import { live } from './live.js'
import { createChoice, createPlot } from './plot.js'
import { provider } from './words.js'

const of = (name) => (seconds) => live.column(name, seconds)
/** The sum of several figures, where at least one is known. */
const sum = (...names) => (seconds) => {
  const all = names.map((name) => live.column(name, seconds))
  return (all[0] ?? []).map((_, place) => {
    const known = all.map((column) => column[place]).filter((value) => value != null)
    return known.length ? known.reduce((left, right) => left + right, 0) : null
  })
}

const plots = (providers) => [
  { title: 'Sessions', note: 'of this node', lines: [{ label: 'sessions', of: of('sessions') }, { label: 'connections', of: of('connections') }] },
  { title: 'Frames a second', lines: [{ label: 'sent', of: of('framesSent') }, { label: 'received', of: of('framesReceived') }] },
  { title: 'Events a second', lines: [{ label: 'taken in', of: of('events') }, { label: 'refused', of: of('eventsRefused') }] },
  { title: 'Publish latency', note: 'to the answer', unit: ' ms', lines: [50, 90, 99].map((share) => ({ label: `p${share}`, of: of(`publishP${share}`) })) },
  { title: 'Commit time', note: 'with the disk’s', unit: ' ms', lines: [{ label: 'p50', of: of('commitP50') }, { label: 'p99', of: of('commitP99') }] },
  { title: 'Commit groups', lines: [{ label: 'changes a commit', of: of('groupSize') }, { label: 'commits a second', of: of('commits') }] },
  { title: 'Pushes waiting', lines: providers.map((name) => ({ label: provider(name), of: of(`push.${name}.queue`) })) },
  { title: 'Push verdicts a second', lines: [['accepted', 'accepted'], ['busy', 'tried again'], ['refused', 'refused'], ['device_gone', 'device gone']].map(([verdict, label]) => ({ label, of: sum(...providers.map((name) => `push.${name}.${verdict}`)) })) },
  { title: 'Slow readers', note: 'a second', lines: [{ label: 'frames left out', of: of('framesFolded') }, { label: 'closed as too slow', of: of('closedSlow') }] },
  { title: 'Refused admissions', note: 'a second', lines: [{ label: 'connections', of: of('refusedConnections') }] },
  { title: 'Memory', format: bytes, lines: [{ label: 'resident', of: of('memory') }] },
  { title: 'Processor', unit: ' %', lines: [{ label: 'of one core', of: of('cpu') }] },
]

const tile = (label, name, format = number, unit = '') => {
  const value = make('strong')
  return { node: make('div', { class: 'tile' }, make('span', null, label), value), update: () => write(value, live.now(name) === null ? '–' : `${format(live.now(name))}${unit}`) }
}

const lanes = (list) =>
  table('Push services', ['Service', 'State', 'Under way', 'Last answer', 'Last failure'], list.map((lane) => [
    provider(lane.provider),
    lane.configured ? chip(lane.state, lane.state === 'open' ? 'good' : 'bad') : chip('not set up'),
    `${lane.inFlight} of ${lane.window}`,
    when(lane.lastJudgedAt),
    lane.lastFailure ? [make('span', null, `${lane.lastFailure.reason} `), when(lane.lastFailure.at)] : '–',
  ]))

const nodes = (list) =>
  table('Nodes', ['Node', 'State', 'Lease', 'Sessions'], list.map((node) => [
    node.isThis ? make('strong', null, `${node.name} (this one)`) : node.name,
    node.hasLeft ? chip(node.isAlive ? 'leaving' : 'has left', 'wait') : node.isAlive ? chip('alive', 'good') : chip('gone', 'bad'),
    node.leaseEnd ? [make('span', { class: 'dim' }, 'until '), when(node.leaseEnd)] : '–',
    node.isThis ? `${number(live.now('sessions'))}, of ${plural(node.people, 'person', 'people')}` : `of ${plural(node.people, 'person', 'people')}`,
  ]), 'One node, with a store of its own.')

export const title = 'Now'

export const show = async (page) => {
  const { lanes: services } = await get('/v1/push')
  const shown = services.filter((lane) => lane.configured).map((lane) => lane.provider)
  const list = plots(shown.length ? shown : services.map((lane) => lane.provider)).map(createPlot)
  const tiles = [tile('Sessions', 'sessions'), tile('Frames a second', 'framesSent'), tile('Events a second', 'events'), tile('Publish p99', 'publishP99', number, ' ms'), tile('Commit p99', 'commitP99', number, ' ms'), tile('Pushes under way', 'pushesInFlight'), tile('Memory', 'memory', bytes)]
  const status = make('p', { class: 'dim live' })
  const clusterPlace = make('div')
  const servicePlace = make('div')
  let seconds = 3_600
  const update = () => {
    for (const one of [...tiles]) one.update()
    for (const one of list) one.update(seconds)
    write(status, live.isOpen ? `Live, a value each second. All plots are of this node${me.node ? `, ${me.node}` : ''}.` : 'Not connected: these figures stand still.')
    set(status, 'data-open', `${live.isOpen}`)
  }
  fill(page,
    make('div', { class: 'head' }, make('h1', null, 'Now'), createChoice('Time shown', [[300, '5 min'], [900, '15 min'], [3_600, '1 hour']], seconds, (value) => {
      seconds = value
      update()
    })),
    status,
    make('div', { class: 'tiles' }, ...tiles.map(({ node }) => node)),
    make('div', { class: 'plots' }, ...list.map(({ node }) => node)),
    card('Push services', { actions: button('Read again', () => rest()) }, servicePlace),
    card('Nodes', null, clusterPlace))
  const rest = async () => {
    const [push, cluster] = await Promise.all([get('/v1/push'), get('/console/nodes')])
    fill(servicePlace, lanes(push.lanes))
    fill(clusterPlace, nodes(cluster.nodes))
  }
  await rest()
  const timer = setInterval(() => document.hidden || rest().catch(() => {}), 10_000)
  const end = await live.follow(update)
  return () => {
    clearInterval(timer)
    end()
  }
}
