import { words } from './labels.js'
import { safeURL } from './links.js'
import { find, forget } from './source.js'
import { join } from './voice.js'

/**
 * What all elements share: where their inbox comes from, their words, and one rendering a frame however much changes.
 *
 * A subclass has `render(snapshot)`, and may have `joined(inbox)`.
 */
export class BelfryElement extends HTMLElement {
  #inbox
  #undo = []
  #frame = 0
  #labels = {}

  constructor(styles) {
    super()
    this.attachShadow({ mode: 'open', delegatesFocus: false }).adoptedStyleSheets = styles
  }

  /** The client: what `connect()` has returned. Without it: the attribute `token-url`, else what `provide()` gives. */
  get inbox() {
    return this.#inbox
  }
  set inbox(inbox) {
    if (inbox === this.#inbox) return
    this.#leave()
    this.#inbox = inbox
    if (this.isConnected) this.#join()
  }

  /** Replaces words: `{title: 'Mitteilungen', photos: (count) => `und ${count} weitere`}`. */
  get labels() {
    return this.#labels
  }
  set labels(labels) {
    this.#labels = labels
    this.relabel?.()
    this.invalidate()
  }
  label(name, ...values) {
    const word = this.#labels[name] ?? words[name]
    return typeof word === 'function' ? word(...values) : word
  }

  get language() {
    return this.closest('[lang]')?.lang || navigator.language
  }

  connectedCallback() {
    // A property that was set before the element was defined hides the accessor.
    for (const name of ['inbox', 'labels']) {
      if (!Object.hasOwn(this, name)) continue
      const value = this[name]
      delete this[name]
      this[name] = value
    }
    if (this.#inbox) this.#join()
    else this.inbox = find(this)
  }
  disconnectedCallback() {
    forget(this)
    this.#leave()
  }

  #join() {
    if (!this.#inbox || this.#undo[0]) return
    this.#undo = [this.#inbox.subscribe(() => this.invalidate()), join(this.#inbox, this)]
    this.joined?.(this.#inbox)
    this.invalidate()
  }
  #leave() {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    for (const act of this.#undo.splice(0)) act()
  }

  /** Renders before the next frame. */
  invalidate() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0
      if (this.#inbox && this.isConnected) this.render(this.#inbox.snapshot)
    })
  }

  /**
   * Tells the page that somebody has opened a notification, here or by a click on its push, and follows `deepLink.url`
   * unless the page prevents that.
   */
  activate(detail) {
    const { id, deepLink, notification } = detail
    if (notification && !notification.isRead) this.run(this.#inbox.read([id]))
    if (!this.tell('belfry-activate', detail)) return
    const url = safeURL(deepLink?.url, document.baseURI)
    if (url) location.assign(url)
  }

  /** @returns false if a listener has prevented the default */
  tell(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }))
  }

  /** A command whose failure the page may hear of; the client has rolled it back by then. */
  run(promise) {
    promise.catch((error) => this.tell('belfry-error', error))
  }
}
