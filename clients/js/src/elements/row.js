import { button, icon, make, setHidden, setText } from './dom.js'
import { safeURL } from './links.js'
import { fill } from './template.js'

const hues = 6
const cross = 'M18 6 6 18M6 6l12 12'

const nameOf = (actor) => actor?.name || actor?.firstName || actor?.username || ''
/** A letter for each of the first two words. */
const initialsOf = (name) => name.split(/\s+/, 2).map((word) => [...word][0] ?? '').join('').toUpperCase()
const hueOf = (text) => [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 997, 7) % hues

let count = 0

/** One notification's article. It is made once, and only what differs is changed when the notification grows. */
export class Row {
  /** The item that is shown. */
  item
  /** Rows of the same group, which are shown beneath it. */
  #others = []
  #key = ''

  /** @param host the list: it has words, a clock and what happens on a click */
  constructor(host, template) {
    this.host = host
    const id = 'n' + ++count
    this.text = make('p', 'text')
    this.text.id = id
    this.node = make('article', 'item')
    this.node.tabIndex = -1
    this.node.row = this
    this.node.setAttribute('aria-labelledby', id)
    this.node.addEventListener('click', () => host.open(this.item))
    this.template = template
    this.avatar = make('span', 'avatar')
    this.avatar.setAttribute('aria-hidden', 'true')
    this.preview = make('p', 'preview')
    this.preview.dir = this.text.dir = 'auto'
    this.thumbnails = make('div', 'thumbnails')
    this.actions = make('div', 'actions')
    this.time = make('time', 'time')
    this.reasons = make('ul', 'reasons')
    this.why = button('why', '', () => this.#explain())
    this.toggle = button('toggle', '', () => host.toggle(this.item))
    this.nested = make('div', 'nested')
    this.dot = make('span', 'dot')
    this.dot.setAttribute('role', 'img')
    this.removal = button('remove', icon(cross), () => host.remove(this))
    const meta = make('div', 'meta', this.time, this.why)
    const shown = template ? [template.content.cloneNode(true)] : [this.text, this.preview, this.thumbnails, this.actions, meta]
    this.custom = template && make('div', 'custom', ...shown)
    if (template) this.text.hidden = true
    const body = make('div', 'body', ...(template ? [this.text, this.custom] : shown), this.reasons, this.toggle, this.nested)
    this.node.append(...(template ? [] : [this.avatar]), body, this.dot, this.removal)
  }

  /** @param group its date group, by which the time is written */
  update(item, group, others, isExpanded) {
    const { host } = this
    const key = [group, others.length, isExpanded, host.version].join()
    if (this.item === item && this.#key === key && !others.length) return
    const isOther = this.item !== item || this.#key !== key
    this.item = item
    this.#key = key
    if (isOther) this.#write(item, group, others.length, isExpanded)
    this.#nest(isExpanded ? others : [], group)
  }

  #write(item, group, others, isExpanded) {
    const { host } = this
    const moment = new Date(item.createdAt)
    this.node.part = item.isRead ? 'item' : 'item unread'
    setHidden(this.dot, item.isRead)
    this.dot.setAttribute('aria-label', host.label('unread'))
    this.removal.setAttribute('aria-label', host.label('remove'))
    if (this.template) fill(this.custom, item)
    else {
      this.#writeActor(item)
      this.#writeThumbnails(item)
      this.#writeActions(item)
      this.time.dateTime = item.createdAt
      if (!isNaN(moment)) {
        setText(this.time, host.clock(moment, group))
        this.time.title = host.clock(moment, 'whole')
      }
      setText(this.why, host.label('why'))
      setHidden(this.why, !host.hasAttribute('explain'))
    }
    this.#writeText(item)
    setHidden(this.toggle, !others)
    setText(this.toggle, isExpanded ? host.label('fewer') : host.label('others', others))
    this.toggle.setAttribute('aria-expanded', isExpanded)
  }

  /** The title, or the sentence with the actor's name in it set off; what else there is to say stands beneath. */
  #writeText({ title, displayText, body, preview, actor }) {
    const text = title || displayText
    const name = title || ['name', 'firstName', 'username'].map((key) => actor?.[key]).find((name) => name && text.startsWith(name)) || ''
    if (this.text.textContent !== text || this.text.firstChild?.textContent !== name) {
      this.text.replaceChildren(make('b', 'actor', name), text.slice(name.length))
    }
    const more = preview || body || (title && title !== displayText ? displayText : '')
    setText(this.preview, more)
    setHidden(this.preview, !more)
  }

  #writeActor({ actor, style, category }) {
    const name = nameOf(actor)
    const address = safeURL(actor?.avatarUrl, document.baseURI)
    const known = address || initialsOf(name)
    this.avatar.part = `avatar hue-${style?.color ? 'color ' + style.color.replace(/\W/g, '') : hueOf(actor?.id ?? category ?? '')}`
    if (this.avatar.known === known) return
    this.avatar.known = known
    this.avatar.replaceChildren(address ? picture(address, 'avatar-image', '', () => setText(this.avatar, initialsOf(name))) : known || '•')
  }

  #writeThumbnails({ thumbnails, batchCount }) {
    const list = Array.isArray(thumbnails) ? thumbnails : []
    setHidden(this.thumbnails, !list.length)
    const key = JSON.stringify([list, batchCount])
    if (!list.length || this.thumbnails.key === key) return
    this.thumbnails.key = key
    const addresses = list.map((one) => safeURL(one?.url ?? one, document.baseURI)).filter(Boolean)
    const rest = batchCount - list.length
    this.thumbnails.replaceChildren(
      ...addresses.map((address) => picture(address, 'thumbnail', '')),
      ...(rest > 0 ? [make('span', 'rest', this.host.label('photos', rest))] : []),
    )
  }

  /** What the notification asks for: to follow back, or its own call to action. */
  #writeActions(item) {
    const { host } = this
    const act = (action) => () => host.act(action, this.item)
    const made = []
    if (typeof item.isFollowingBack === 'boolean') {
      const follow = button('action follow', host.label(item.isFollowingBack ? 'following' : 'follow'), act('follow'))
      follow.setAttribute('aria-pressed', item.isFollowingBack)
      made.push(follow)
    }
    const label = item.cta?.label ?? item.cta
    if (typeof label === 'string') made.push(button('action cta', label, act(item.cta.action ?? 'cta')))
    setHidden(this.actions, !made.length)
    const key = made.map((one) => one.textContent).join()
    if (this.actions.key === key) return
    this.actions.key = key
    this.actions.replaceChildren(...made)
  }

  #nest(others, group) {
    if (!others.length && !this.#others.length) return
    this.#others = others
    this.host.fillWith(this.nested, others, (row, item) => row.update(item, group, [], false))
  }

  async #explain() {
    const { host, reasons } = this
    const show = (...texts) => reasons.replaceChildren(...texts.map((text) => make('li', '', text)))
    if (reasons.firstChild) return reasons.replaceChildren()
    show(host.label('loading'))
    try {
      const { events = [], steps = [] } = await host.inbox.explain(this.item.id)
      const texts = [...events, ...steps].map(({ text }) => text).filter(Boolean)
      show(...(texts.length ? texts : [host.label('noReason')]))
    } catch {
      show(host.label('failed'))
    }
  }
}

const picture = (address, part, alt, failed) => {
  const image = make('img', part)
  Object.assign(image, { loading: 'lazy', decoding: 'async', referrerPolicy: 'no-referrer', alt, src: address })
  image.addEventListener('error', failed ?? (() => image.remove()))
  return image
}
