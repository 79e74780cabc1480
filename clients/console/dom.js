// The small elements of the inbox, and what the console's pages share. Texts become text nodes, and nothing else.
import { make, set, write } from './belfry-elements.js'

export { make, set, write }

/** Shows other children in place of a node's. */
export const fill = (node, ...children) => node.replaceChildren(...children.flat().filter(Boolean))

/** Any element of SVG. */
export const draw = (tag, attributes, ...children) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const name in attributes) set(node, name, attributes[name])
  node.append(...children)
  return node
}

let count = 0
/** A part of a page with a heading. */
export const card = (title, attributes, ...children) => {
  const id = `h${++count}`
  const { class: name = '', actions, ...more } = attributes ?? {}
  return make('section', { class: `card ${name}`.trim(), 'aria-labelledby': id, ...more },
    make('header', null, make('h2', { id }, title), actions), ...children)
}

/** A table; rows are lists of texts and nodes. It scrolls by itself where it is too wide. */
export const table = (label, heads, rows, empty = 'None.') =>
  rows.length === 0
    ? make('p', { class: 'dim' }, empty)
    : make('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': label },
        make('table', null,
          make('thead', null, make('tr', null, ...heads.map((head) => make('th', { scope: 'col' }, head)))),
          make('tbody', null, ...rows.map((row) => make('tr', null, ...row.map((cell) => make('td', null, ...[cell].flat())))))))

/** Names and values. */
export const facts = (pairs) =>
  make('dl', { class: 'facts' }, ...pairs.filter(Boolean).map(([name, ...value]) =>
    make('div', null, make('dt', null, name), make('dd', null, ...value.map((one) => one ?? '–')))))

/** A word with a colour, which also says it. */
export const chip = (text, kind = '') => make('span', { class: `chip ${kind}`.trim() }, text)

/** A button that is busy while its promise is under way. */
export const button = (text, act, name = '') => {
  const node = make('button', { class: `button ${name}`.trim(), click: async () => {
    if (node.ariaDisabled === 'true') return
    node.ariaDisabled = 'true'
    try {
      await act(node)
    } catch (error) {
      say(error.message)
    } finally {
      node.ariaDisabled = null
    }
  } }, text)
  return node
}

/** A labelled field. */
export const field = (label, input) => {
  input.id ||= `f${++count}`
  return make('div', { class: 'field' }, make('label', { for: input.id }, label), input)
}

let forgetting
/** Tells something at the bottom of the page, and to screen readers. */
export const say = (text) => {
  const place = document.querySelector('#say')
  write(place, text)
  clearTimeout(forgetting)
  forgetting = setTimeout(() => write(place, ''), 8_000)
}

const clock = new Intl.DateTimeFormat([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat([], { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
/** A moment: the time of today, else the date with it; the whole is its title. */
export const when = (text) => {
  if (!text) return '–'
  const date = new Date(text)
  const isToday = date.toDateString() === new Date().toDateString()
  return make('time', { datetime: text, title: date.toString() }, (isToday ? clock : day).format(date))
}
/** The same as a text. */
export const timeText = (text) => (text ? when(text).textContent : 'later')

const numbers = new Intl.NumberFormat([], { maximumFractionDigits: 1 })
export const number = (value) => (value == null ? '–' : numbers.format(value))
export const bytes = (value) => (value == null ? '–' : value < 1_048_576 ? `${number(value / 1024)} KB` : `${number(value / 1_048_576)} MB`)

/** Counts things: `plural(2, 'device')`. */
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`
