import { BelfryElement } from './base.js'
import { make, set, write } from './dom.js'
import { bell, cross } from './icons.js'
import { speakOf } from './speaker.js'
import { bellStyle, style } from './style.js'

/** So far the panel stays from the edges of the page. */
const margin = 8
const inner = ['renderItem', 'linkOf']
const parts = ['header', 'title', 'mark-all-read', 'list', 'scroller', 'date', 'item', 'read', 'unread', 'in-group', 'avatar',
  'text', 'time', 'dot', 'preview', 'thumbnails', 'thumbnail', 'more-pictures', 'action', 'follow', 'group', 'remove', 'content',
  'explain-button', 'explanation', 'empty', 'load-more', 'status', 'retry']

/** A button with the number of what is unread; it opens a panel with the inbox. */
export class BelfryBell extends BelfryElement {
  static get observedAttributes() {
    return [...BelfryElement.observedAttributes, 'count', 'explain', 'grouped', 'theme']
  }
  static get properties() {
    return [...BelfryElement.properties, ...inner]
  }
  #badge = make('span', { part: 'badge', class: 'badge', 'aria-hidden': 'true', hidden: true })
  #button = make('button', { part: 'button', class: 'bell', type: 'button', 'aria-haspopup': 'dialog', 'aria-expanded': 'false' },
    make('slot', { name: 'icon' }, bell()), this.#badge)
  #close = make('button', { part: 'close', class: 'icon close', type: 'button', slot: 'actions', click: () => this.close() }, cross())
  #list = make('belfry-inbox', { part: 'inbox', exportparts: parts.join() },
    make('slot', { name: 'empty', slot: 'empty' }), make('slot', { name: 'footer', slot: 'footer' }), this.#close)
  #panel = make('div', { part: 'panel', class: 'panel', popover: 'auto', role: 'dialog', tabindex: -1 }, this.#list)

  constructor() {
    super(style, bellStyle)
    this.shadowRoot.append(this.#button, this.#panel)
    this.#button.popoverTargetElement = this.#panel
    this.#panel.addEventListener('beforetoggle', ({ newState }) => newState === 'open' && this.#arrange())
    this.#panel.addEventListener('toggle', ({ newState }) => this.#toggled(newState === 'open'))
    this.#list.addEventListener('belfry-activate', (event) => {
      // Afterwards, if the app lets it be.
      queueMicrotask(() => !event.defaultPrevented && !event.detail.action && this.close())
    })
    this.relabel = () => {
      set(this.#panel, 'aria-label', this.say('title'))
      set(this.#close, 'aria-label', this.say('close'))
      this.#list.labels = this.labels
    }
    this.relabel()
  }
  connectedCallback() {
    super.connectedCallback()
    // A slot that the page leaves empty would hide the inbox's own words.
    for (const slot of this.#list.querySelectorAll('slot')) {
      if (!this.querySelector(`:scope > [slot=${slot.name}]`)) slot.remove()
    }
    const template = this.querySelector(':scope > template[slot=item]')
    if (template) this.#list.template = template
  }
  attributeChangedCallback(name) {
    if (['explain', 'grouped', 'theme'].includes(name)) set(this.#list, name, this.getAttribute(name))
    super.attributeChangedCallback()
  }
  follow(inbox) {
    return [speakOf(inbox, this)]
  }
  resolve() {
    const hasChanged = super.resolve()
    if (hasChanged) this.#list.inbox = this.inbox
    return hasChanged
  }

  get isOpen() {
    return this.#panel.matches(':popover-open')
  }
  open() {
    if (!this.isOpen) this.#panel.showPopover()
  }
  close() {
    if (this.isOpen) this.#panel.hidePopover()
  }

  /** A push was clicked. */
  activate(item) {
    this.#list.activate(item)
  }

  render(snapshot) {
    const count = snapshot?.[this.getAttribute('count') === 'unseen' ? 'unseen' : 'unread'] ?? 0
    write(this.#badge, count > 99 ? '99+' : `${count}`)
    this.#badge.hidden = !count
    set(this.#button, 'aria-label', count ? this.say('bell', count) : this.say('bellNone'))
    if (this.isOpen && snapshot?.unseen) this.#see()
  }
  #see() {
    if (document.visibilityState === 'visible' && this.inbox?.snapshot.unseen) this.attempt(this.inbox.seen())
  }
  #toggled(isOpen) {
    set(this.#button, 'aria-expanded', `${isOpen}`)
    this.tell(isOpen ? 'belfry-open' : 'belfry-close')
    if (!isOpen) {
      if ([this, document.body].includes(document.activeElement)) this.#button.focus()
      return removeEventListener('resize', this.#arrange)
    }
    addEventListener('resize', this.#arrange)
    if (this.inbox) this.attempt(this.inbox.seen())
    this.#list.focusFirst(this.#panel)
  }
  /** Puts the panel under the button, or above it where there is more room. */
  #arrange = () => {
    const { left, right, top, bottom } = this.#button.getBoundingClientRect()
    const { clientWidth: width, clientHeight: height } = document.documentElement
    const { style } = this.#panel
    const isBelow = height - bottom >= Math.min(420, top)
    const isRight = left + right > width
    style.setProperty('--top', isBelow ? `${bottom + margin}px` : 'auto')
    style.setProperty('--bottom', isBelow ? 'auto' : `${height - top + margin}px`)
    style.setProperty('--left', isRight ? 'auto' : `${Math.max(margin, left)}px`)
    style.setProperty('--right', isRight ? `${Math.max(margin, width - right)}px` : 'auto')
    style.setProperty('--room', `${(isBelow ? height - bottom : top) - 2 * margin}px`)
  }
}
// What only the list of the panel needs.
for (const name of inner) {
  Object.defineProperty(BelfryBell.prototype, name, {
    get() {
      return this.shadowRoot.querySelector('belfry-inbox')[name]
    },
    set(value) {
      this.shadowRoot.querySelector('belfry-inbox')[name] = value
    },
  })
}
