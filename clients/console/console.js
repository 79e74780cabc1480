// The console: which page is shown, who is logged in.
import { call, get, me, operator, setMe, whenLoginIsNeeded } from './calls.js'
import { button, field, fill, make, set } from './dom.js'
import * as audit from './page-audit.js'
import * as catalogs from './page-catalogs.js'
import * as drain from './page-drain.js'
import * as event from './page-event.js'
import * as failures from './page-failures.js'
import * as feeds from './page-feeds.js'
import * as now from './page-now.js'
import * as person from './page-person.js'
import * as quality from './page-quality.js'
import { keepPlace, refusal, takePlace } from './sign-in.js'

const pages = { now, person, event, failures, catalogs, feeds, quality, drain, audit }

const main = document.querySelector('#main')
const nav = document.querySelector('#nav')
const links = Object.entries(pages).map(([name, page]) => [name, make('a', { href: `#/${name}` }, page.title)])
fill(nav, links.map(([, link]) => link))

let leave
let turn = 0

const fault = (error) =>
  make('div', { class: 'card fault', role: 'alert' }, make('h1', null, 'That did not work'), make('p', null, error.message), error.problem?.code && make('p', { class: 'dim' }, error.problem.code), button('Try again', show))

/** Shows the page that the address names. */
const show = async () => {
  const mine = (turn += 1)
  leave?.()
  leave = undefined
  const [name = 'now', ...parts] = location.hash.replace(/^#\//, '').split('/').filter(Boolean).map(decodeURIComponent)
  const page = pages[name] ?? now
  for (const [other, link] of links) set(link, 'aria-current', other === name ? 'page' : null)
  document.title = `${parts[0] ?? page.title ?? 'Console'} – Belfry`
  // Each turn has a place of its own: a page that is late must not write over the next one.
  const place = make('div', { class: 'page', 'data-path': location.hash }, make('p', { class: 'dim' }, 'Loading…'))
  fill(main, place)
  try {
    const end = await page.show(place, ...parts)
    if (mine === turn) leave = end
    else end?.()
  } catch (error) {
    if (mine === turn && error.problem?.code !== 'login_needed') fill(place, fault(error))
    if (!error.status) console.error(error)
  }
  if (mine === turn) set(place, 'data-ready', 'true')
}

const showWho = () => {
  const name = me.by === 'loopback' ? operator.name : me.name
  fill(document.querySelector('#who'),
    me.by === 'loopback'
      ? button(name || 'Your name…', async () => {
        const answer = prompt('Your name, for the audit log', operator.name)
        if (answer !== null) operator.name = answer.trim()
        showWho()
      }, 'quiet')
      : make('span', { class: 'dim' }, name ?? ''),
    ['password', 'oidc'].includes(me.by) && button('Log out', async () => {
      await call('POST', '/console/logout')
      location.reload()
    }, 'quiet'))
}

const logIn = (wrong, refused) => {
  turn += 1
  leave?.()
  leave = undefined
  const provider = me.signIn && make('a', { class: 'button main', href: me.signIn.url, click: keepPlace }, `Sign in with ${me.signIn.label}`)
  const told = (words) => words && make('p', { class: 'wrong', role: 'alert' }, words)
  const page = make('div', { class: 'page login' }, make('h1', null, 'Belfry console'))
  fill(main, page)
  if (provider) page.append(make('div', { class: 'card' }, told(refused), provider))
  if (!me.takesPassword) return provider?.focus()
  const name = make('input', { value: operator.name, autocomplete: 'username', maxlength: 100 })
  const password = make('input', { type: 'password', autocomplete: 'current-password', required: true })
  page.append(
    make('form', { class: 'card', submit: async (event) => {
      event.preventDefault()
      operator.name = name.value.trim()
      try {
        await call('POST', '/console/login', { name: operator.name || null, password: password.value })
        await start()
      } catch (error) {
        logIn(error.message)
      }
    } }, field('Your name, for the audit log', name), field('Password', password), told(wrong),
    make('button', { class: provider ? 'button' : 'button main', type: 'submit' }, 'Log in')))
  ;(operator.name ? password : name).focus()
}

const start = async () => {
  try {
    setMe(await get('/console/who'))
  } catch (error) {
    return fill(main, make('div', { class: 'page' }, fault(error)))
  }
  nav.hidden = !!me.loginNeeded
  if (me.loginNeeded) return logIn(undefined, refusal())
  takePlace()
  showWho()
  await show()
}

whenLoginIsNeeded(() => logIn())
addEventListener('hashchange', () => me.loginNeeded || show().then(() => main.contains(document.activeElement) || main.focus({ preventScroll: true })))
start()
