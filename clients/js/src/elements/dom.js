/**
 * Makes an element. Nothing is ever parsed as HTML.
 *
 * @param part its name for `::part()` and for our own style sheet
 * @param children texts and nodes; a text becomes a text node
 */
export const make = (tag, part, ...children) => {
  const element = document.createElement(tag)
  if (part) element.setAttribute('part', part)
  element.append(...children)
  return element
}

export const button = (part, label, act) => {
  const element = make('button', 'button ' + part, label)
  element.type = 'button'
  element.addEventListener('click', (event) => {
    event.stopPropagation()
    act(event)
  })
  return element
}

/** Changes a text node only if its text is another. */
export const setText = (element, text) => {
  if (element.textContent !== text) element.textContent = text
}

export const setHidden = (element, isHidden) => {
  if (element.hidden !== isHidden) element.hidden = isHidden
}

/** A picture that a screen reader passes over; `path` is of a square with 24 units. */
export const icon = (path) => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const shape = document.createElementNS(svg.namespaceURI, 'path')
  shape.setAttribute('d', path)
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  svg.append(shape)
  return svg
}

/** Puts `nodes` into `parent` in this order, and moves none that is in its place. */
export const arrange = (parent, nodes) => {
  let place = parent.firstChild
  for (const node of nodes) {
    if (node === place) place = place.nextSibling
    else parent.insertBefore(node, place)
  }
  while (place) {
    const next = place.nextSibling
    place.remove()
    place = next
  }
}

export const sheet = (css) => {
  const made = new CSSStyleSheet()
  made.replaceSync(css)
  return made
}
