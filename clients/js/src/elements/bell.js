import { BelfryElement } from './base.js'
import { button, icon, make, setHidden, setText } from './dom.js'
import { bellStyles } from './styles.js'

const bell = 'M18 8a6 6 0 0 0-12 0c0 7-3 9-3 9h18s-3-2-3-9M13.7 21a2 2 0 0 1-3.4 0'
const most = 99
/** Attributes that the list in the panel takes from the bell. */
const passed = ['explain', 'grouped', 'theme']

/** A bell with the number of unread notifications, which opens the list. */
export class BelfryBell extends BelfryElement {
  static get observedAttributes() {
    return passed
  }

  constructor() {
    super([bellStyles])
    this.badge = make('span', 'badge')
    this.badge.setAttribute('aria-hidden', 'true')
    this.toggle = button('bell', icon(bell), () => (this.open = !this.open))
    this.toggle.append(this.badge)
    this.toggle.setAttribute('aria-haspopup', 'dialog')
    this.list = make('belfry-inbox', 'inbox')
    this.list.setAttribute('exportparts', 'header, title, read-all, group, item, unread, avatar, text, preview, thumbnail, action, time, dot, remove, empty, status')
    this.shut = button('close', '', () => (this.open = false))
    this.shut.slot = 'actions'
    this.list.append(this.shut)
    this.panel = make('div', 'panel', this.list)
    this.panel.setAttribute('role', 'dialog')
    this.panel.hidden = true
    this.panel.tabIndex = -1
    this.shadowRoot.append(this.toggle, this.panel)
    this.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.open) return
      event.stopPropagation()
      this.open = false
    })
    this.outside = (event) => {
      if (!event.composedPath().includes(this)) this.open = false
    }
  }

  /** Whether the panel is shown. Opening it marks all as seen. */
  get open() {
    return !this.panel.hidden
  }
  set open(isOpen) {
    if (isOpen === this.open) return
    this.panel.hidden = !isOpen
    this.toggle.setAttribute('aria-expanded', isOpen)
    const change = isOpen ? 'addEventListener' : 'removeEventListener'
    document[change]('pointerdown', this.outside, true)
    if (isOpen) {
      this.#look()
      this.panel.focus()
    } else if (this.shadowRoot.activeElement) this.toggle.focus()
    this.tell('belfry-toggle', { open: isOpen })
  }

  attributeChangedCallback(name, _, value) {
    if (value === null) this.list.removeAttribute(name)
    else this.list.setAttribute(name, value)
  }
  disconnectedCallback() {
    this.open = false
    super.disconnectedCallback()
  }
  joined(inbox) {
    this.list.inbox = inbox
    this.relabel()
  }
  relabel() {
    this.list.labels = this.labels
    setText(this.shut, this.label('close'))
    this.panel.setAttribute('aria-label', this.label('title'))
  }

  #look() {
    if (this.inbox?.snapshot.unseen) this.run(this.inbox.seen())
  }

  render({ unread, unseen }) {
    const count = this.getAttribute('count') === 'unseen' ? unseen : unread
    setText(this.badge, count > most ? most + '+' : String(count))
    setHidden(this.badge, !count)
    this.toggle.setAttribute('aria-label', this.label('bell', count))
    // What comes while the list is open is seen.
    if (this.open && document.hasFocus()) this.#look()
  }
}
