/**
 * An element: functions become listeners, `true` an attribute without a value; null and false are left out. Names of
 * parts are classes, too. Children that are empty are left out.
 */
export const make = (tag, attributes, ...children) => {
  const node = document.createElement(tag)
  // Not one that submits a form.
  if (tag === 'button') node.type = tag
  for (const name in attributes) {
    const value = attributes[name]
    if (value?.call) node.addEventListener(name, value)
    else if (name !== 'class') set(node, name, value)
    if (name === 'class' || name === 'part') node.classList.add(...value.split(' '))
  }
  node.append(...children.filter(Boolean))
  return node
}

/** Sets an attribute if it has another value; null and false take it away. */
export const set = (node, name, value) => {
  const text = value === true ? '' : value == null || value === false ? null : `${value}`
  if (node.getAttribute(name) === text) return
  if (text === null) node.removeAttribute(name)
  else node.setAttribute(name, text)
}

/** Writes a text if it is another one. */
export const write = (node, text) => {
  if (node.textContent !== text) node.textContent = text
}

const draw = (tag, name, value, ...children) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag)
  set(node, name, value)
  node.append(...children)
  return node
}
/** A drawing of 24 by 24, from the `d` of its path. */
const icon = (d) => {
  const drawing = draw('svg', 'viewBox', '0 0 24 24', draw('path', 'd', d))
  drawing.ariaHidden = 'true'
  return drawing
}
export const bell = () => icon('M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7m4 11a2 2 0 0 0 4 0')
export const checks = () => icon('m2 13 5 5L18 6m-6 12L22 7')
export const cross = () => icon('M6 6l12 12M18 6 6 18')
export const question = () => icon('M9 9a3 3 0 1 1 4 3q-1 1-1 2m0 3v.1M12 2a10 10 0 1 0 .1 0')
