import { connect } from '../../belfry.js'
import { Browser } from './browser.js'
import { Clock, seeded } from './clock.js'
// Loaded before simulated time begins.
import '../../ways.js'
import { ModelServer } from './server.js'

/** A token for `sarah`, as far as a client looks into it. */
export const token = (user = 'sarah') => `x.${btoa(JSON.stringify({ sub: user }))}.x`

/** A server, a clock and browsers; everything that happens follows from the seed. */
export const createWorld = ({ seed = 1, latency = 20 } = {}) => {
  const clock = new Clock()
  const random = seeded(seed)
  const server = new ModelServer({ clock, random, latency })
  const openBrowser = () =>
    new Browser({ clock, random, WebSocket: (tab) => server.socket(tab), fetch: (...call) => server.fetch(...call) })
  /** A tab with a client, and what it has told. */
  const openTab = (browser, { isVisible = true, locks = true, console, ...options } = {}) => {
    const tab = browser.open({ isVisible, locks })
    tab.news = []
    tab.env.console = console
    tab.inbox = connect({ url: 'wss://push.example', token: async () => token(), ...options }, tab.env)
    tab.inbox.on('new', ({ id }) => tab.news.push(id))
    return tab
  }
  return { clock, random, server, openBrowser, openTab }
}
