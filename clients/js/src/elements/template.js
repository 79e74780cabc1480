import { setText } from './dom.js'
import { safeURL } from './links.js'

const valueAt = (item, path) => path.split('.').reduce((value, key) => value?.[key], item)

/**
 * Fills the app's own template: `data-text="actor.name"` gets the text, `data-src` and `data-href` an address, and
 * `data-if` is hidden where the value is missing, false, 0 or empty.
 */
export const fill = (root, item) => {
  for (const element of root.querySelectorAll('[data-text]')) setText(element, String(valueAt(item, element.dataset.text) ?? ''))
  for (const name of ['src', 'href']) {
    for (const element of root.querySelectorAll(`[data-${name}]`)) {
      const address = safeURL(valueAt(item, element.dataset[name]), document.baseURI)
      if (address) element[name] = address
      else element.removeAttribute(name)
    }
  }
  for (const element of root.querySelectorAll('[data-if]')) {
    const value = valueAt(item, element.dataset.if)
    element.hidden = Array.isArray(value) ? !value.length : !value
  }
}
