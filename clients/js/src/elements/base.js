import { connectionOf } from './connections.js'
import { labels, say } from './labels.js'

/** Elements of the page that may wait for another one's client. */
const connected = new Set()
let provided
/** Gives a client to all elements of the page that name no other one. */
export const provide = (inbox) => {
  provided = inbox
  resolveAll()
}

let hasComplained
/** Tells the developer, once, about a page that names no client, or a missing one; it would be empty without a word. */
const complain = (element, other) => {
  if (element.inbox || !element.isConnected || hasComplained) return
  hasComplained = true
  const what = other ? `for="${other}" names no element with a client` : 'no client yet: set inbox, for or token-url, or call provide()'
  console.error(`<${element.localName}>: ${what}`)
}
/** How long a page may take to give an element its client, in milliseconds. */
const patience = 5_000

const sheets = {}
const sheetOf = (css) => {
  if (!sheets[css]) (sheets[css] = new CSSStyleSheet()).replaceSync(css)
  return sheets[css]
}

/** The pause between two renderings of one element, in milliseconds; faster changes are shown together. */
const pause = 100

/**
 * The base of all elements: a client, labels, and one rendering a frame.
 *
 * The client is the property `inbox`; or that of the element which `for` names; or one for the attributes `token-url`
 * and `server`; or the one that was provided for the page. An element that is not in the document follows nothing.
 */
export class BelfryElement extends (globalThis.HTMLElement || class {}) {
  static get observedAttributes() {
    return ['for', 'server', 'token-url']
  }
  /** Properties that a page may have set before the element was defined. */
  static get properties() {
    return ['inbox', 'labels']
  }
  static get words() {
    return labels
  }
  #given
  #inbox
  #undo = []
  #labels
  #frame
  #timer
  #renderedAt = -pause

  /** @param css of the element's own tree */
  constructor(...css) {
    super()
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = css.map(sheetOf)
  }

  connectedCallback() {
    for (const name of this.constructor.properties) {
      if (!Object.hasOwn(this, name)) continue
      const value = this[name]
      delete this[name]
      this[name] = value
    }
    connected.add(this)
    resolveAll()
    this.schedule()
    setTimeout(() => complain(this, this.getAttribute('for')), patience)
  }
  disconnectedCallback() {
    connected.delete(this)
    this.resolve()
  }
  attributeChangedCallback() {
    if (this.isConnected) resolveAll()
    this.schedule()
  }

  get inbox() {
    return this.#inbox ?? this.#given
  }
  set inbox(inbox) {
    this.#given = inbox
    resolveAll()
  }
  get labels() {
    return this.#labels ?? this.constructor.words
  }
  set labels(some) {
    this.#labels = { ...this.constructor.words, ...some }
    this.relabel?.()
    this.schedule()
  }
  /** The language for dates, from the nearest element that has one. */
  get locale() {
    return this.closest('[lang]')?.lang || document.documentElement.lang
  }
  say(name, count) {
    return say(this.labels[name], count)
  }

  /** Takes the client that counts now. */
  resolve() {
    const other = this.getAttribute('for')
    const tokenUrl = this.getAttribute('token-url')
    const inbox = connected.has(this)
      ? this.#given ||
        (other
          ? this.getRootNode().getElementById?.(other)?.inbox
          : tokenUrl === null
            ? provided
            : connectionOf(this.getAttribute('server'), tokenUrl))
      : undefined
    if (inbox === this.#inbox) return
    for (const undo of this.#undo) undo()
    this.#inbox = inbox
    this.#undo = inbox ? [inbox.subscribe(() => this.schedule()), ...(this.follow?.(inbox) ?? [])] : []
    this.schedule()
    return true
  }

  /** Renders with the next frame, or a little later if it has just done so; `isUrgent`: not later. */
  schedule(isUrgent) {
    if (this.#frame || (this.#timer && !isUrgent)) return
    clearTimeout(this.#timer)
    const wait = isUrgent ? 0 : this.#renderedAt + pause - performance.now()
    const frame = () => {
      this.#timer = 0
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0
        this.#renderedAt = performance.now()
        if (this.isConnected) this.render(this.#inbox?.snapshot)
      })
    }
    if (wait > 0) this.#timer = setTimeout(frame, wait)
    else frame()
  }

  /** Dispatches an event to the app; false if the app has prevented the default. */
  tell(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }))
  }
  /** Handles a command's promise. */
  attempt(promise) {
    promise?.catch?.((error) => {
      this.tell('belfry-error', { error })
      this.failed?.(error)
    })
  }
}

/** One element's client may be another's. */
const resolveAll = () => {
  while ([...connected].map((element) => element.resolve()).some(Boolean));
}

/** Defines an element, once, where there are elements. */
export const define = (name, type) => {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, type)
}
