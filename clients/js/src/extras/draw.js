import { set, timeOf, urlOf, write } from '../../elements.js'

const valueOf = (item, path) => path.split('.').reduce((value, name) => value?.[name], item)

/**
 * Fills the marked places of an app's template: `data-text`, `data-src`, `data-href` and `data-if` name a member, as in
 * `actor.name`; `data-age` is how long ago it was.
 */
const fill = (root, item, ageOf) => {
  for (const node of root.querySelectorAll('[data-text]')) write(node, `${valueOf(item, node.dataset.text) ?? ''}`)
  for (const node of root.querySelectorAll('[data-src]')) set(node, 'src', urlOf(valueOf(item, node.dataset.src)))
  for (const node of root.querySelectorAll('[data-href]')) set(node, 'href', urlOf(valueOf(item, node.dataset.href)))
  for (const node of root.querySelectorAll('[data-if]')) node.hidden = !valueOf(item, node.dataset.if)
  for (const node of root.querySelectorAll('[data-age]')) write(node, ageOf(timeOf(item)))
}

/** The app's own content of a notification, from its function or its template. */
export const draw = (host, item, node, ageOf) => {
  const { renderItem, template } = host
  if (!renderItem) {
    if (!node.firstChild) node.append(document.importNode(template.content, true))
    return fill(node, item, ageOf)
  }
  try {
    const content = renderItem(item, node)
    if (content instanceof Node && content !== node) node.replaceChildren(content)
  } catch (error) {
    // An error in the app must not stop the other rows.
    reportError(error)
  }
}
