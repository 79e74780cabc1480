const namespace = 'http://www.w3.org/2000/svg'

/** An element: functions become listeners, `true` an attribute without a value; null and false are left out. */
export const make = (tag, attributes, ...children) => {
  const node = document.createElement(tag)
  for (const name in attributes) {
    const value = attributes[name]
    if (value?.call) node.addEventListener(name, value)
    else set(node, name, value)
  }
  node.append(...children.filter((child) => child != null && child !== false && child !== ''))
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

/** A drawing of 24 by 24, from the `d` of its path. */
export const icon = (d) => {
  const drawing = document.createElementNS(namespace, 'svg')
  const path = document.createElementNS(namespace, 'path')
  path.setAttribute('d', d)
  drawing.setAttribute('viewBox', '0 0 24 24')
  drawing.setAttribute('aria-hidden', 'true')
  drawing.append(path)
  return drawing
}
