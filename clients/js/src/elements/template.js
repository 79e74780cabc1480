import { set, write } from './dom.js'
import { timeOf } from './lines.js'
import { urlOf } from './url.js'

const valueOf = (item, path) => path.split('.').reduce((value, name) => value?.[name], item)

/**
 * Fills the marked places of an app's template: `data-text`, `data-src`, `data-href` and `data-if` name a member, as in
 * `actor.name`; `data-age` is how long ago it was.
 */
export const fill = (root, item, ageOf) => {
  for (const node of root.querySelectorAll('[data-text]')) write(node, `${valueOf(item, node.dataset.text) ?? ''}`)
  for (const node of root.querySelectorAll('[data-src]')) set(node, 'src', urlOf(valueOf(item, node.dataset.src)))
  for (const node of root.querySelectorAll('[data-href]')) set(node, 'href', urlOf(valueOf(item, node.dataset.href)))
  for (const node of root.querySelectorAll('[data-if]')) node.hidden = !valueOf(item, node.dataset.if)
  for (const node of root.querySelectorAll('[data-age]')) write(node, ageOf(timeOf(item)))
}
