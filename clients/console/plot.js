// Plots of an hour, as plain SVG. Lines differ by dashes, too, for those who do not tell their colours apart.
import { draw, fill, make, number, set, write } from './dom.js'
import { ceiling, height, path, thinned, width } from './lines.js'

/**
 * A plot with its heading. `lines`: `{ name, label, of }`, where `of(seconds)` gives the values; `unit` stands behind
 * the numbers; `format` writes them.
 */
export const createPlot = ({ title, unit = '', lines, note, format = number }) => {
  const drawing = draw('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' })
  const paths = lines.map((_, place) => draw('path', { class: `line line-${place + 1}` }))
  const cursor = draw('line', { class: 'cursor', y1: 0, y2: height, visibility: 'hidden' })
  drawing.append(...[0.25, 0.5, 0.75].map((share) => draw('line', { class: 'grid', x1: 0, x2: width, y1: height * share, y2: height * share })), ...paths, cursor)
  const top = make('span', { class: 'top-value' })
  const from = make('span')
  const at = make('span', null, 'now')
  const legend = make('ul', { class: 'legend' })
  const entries = lines.map(({ label }, place) => {
    const value = make('strong')
    legend.append(make('li', null, draw('svg', { viewBox: '0 0 20 6', class: 'key', 'aria-hidden': 'true' }, draw('path', { class: `line line-${place + 1}`, d: 'M0 3h20' })), ` ${label} `, value))
    return value
  })
  const frame = make('div', { class: 'plot' }, top, drawing)
  const summary = make('p', { class: 'hidden' })
  const node = make('figure', { class: 'card' }, make('figcaption', null, make('span', { class: 'plot-title' }, title), note && make('span', { class: 'dim' }, ` ${note}`)), legend, frame,
    make('div', { class: 'axis dim', 'aria-hidden': 'true' }, from, at), summary)
  let shown = []
  let seconds = 0
  let pointed = null
  const tellAt = () => {
    const ago = pointed === null ? 0 : Math.round((1 - pointed) * seconds)
    set(cursor, 'visibility', pointed === null ? 'hidden' : 'visible')
    if (pointed !== null) for (const end of ['x1', 'x2']) set(cursor, end, (pointed * width).toFixed(1))
    shown.forEach((values, place) => {
      const value = values[values.length - 1 - ago] ?? null
      write(entries[place], value === null ? '–' : `${format(value)}${unit}`)
    })
    write(at, pointed === null ? 'now' : `${span(ago)} ago`)
  }
  frame.addEventListener('pointermove', ({ clientX }) => {
    const box = drawing.getBoundingClientRect()
    pointed = Math.min(1, Math.max(0, (clientX - box.left) / box.width))
    tellAt()
  })
  frame.addEventListener('pointerleave', () => {
    pointed = null
    tellAt()
  })
  return {
    node,
    update(span_) {
      seconds = span_
      shown = lines.map(({ of }) => of(seconds))
      const most = Math.max(0, ...shown.flat().filter((value) => value !== null))
      const limit = ceiling(most)
      shown.forEach((values, place) => {
        const thin = thinned(values)
        set(paths[place], 'd', path(thin.values, thin.size, seconds, limit))
      })
      write(top, `${format(limit)}${unit}`)
      write(from, `${span(seconds)} ago`)
      write(summary, `Highest in the last ${span(seconds)}: ${lines.map(({ label }, place) => {
        const known = shown[place].filter((value) => value !== null)
        return `${label} ${known.length ? format(Math.max(...known)) + unit : 'unknown'}`
      }).join(', ')}.`)
      tellAt()
    },
  }
}

const span = (seconds) => (seconds < 60 ? `${seconds} s` : seconds < 3_600 ? `${Math.round(seconds / 60)} min` : '1 hour')

/** A group of buttons of which one is pressed. */
export const createChoice = (label, options, chosen, choose) => {
  const buttons = options.map(([value, text]) => make('button', { 'aria-pressed': `${value === chosen}`, click: ({ currentTarget }) => {
    for (const one of buttons) set(one, 'aria-pressed', `${one === currentTarget}`)
    choose(value)
  } }, text))
  const node = make('div', { class: 'segments', role: 'group', 'aria-label': label })
  fill(node, buttons)
  return node
}
