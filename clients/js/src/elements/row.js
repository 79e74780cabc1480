import { ageOf, momentOf, timeOf } from './dates.js'
import { cross, make, question, set, write } from './dom.js'
import { extra } from './extra.js'
import { urlOf } from './url.js'
import { answerOf, answersOf, buttonsOf, hueOf, initialsOf, nameOf, picturesOf, piecesOf } from './words.js'

let count = 0

/** A picture. If it cannot be loaded, it goes, and the content behind it is visible. */
const picture = (url) => {
  const src = urlOf(url)
  return src && make('img', { src, alt: '', loading: 'lazy', referrerpolicy: 'no-referrer', error: ({ target }) => target.remove() })
}

/** A round picture of the actor, or their initials. */
const avatarOf = (actor) => {
  const name = nameOf(actor)
  const letters = make('span', { part: 'avatar', 'aria-hidden': 'true' }, initialsOf(name) || '•', picture(actor?.avatarUrl))
  letters.style.setProperty('--hue', hueOf(actor?.id ?? name))
  return letters
}

/** A button without a tab stop: the keyboard reaches it from its row. */
const button = (attributes, content) => make('button', { tabindex: -1, ...attributes }, content)

/**
 * A notification's article. Its node stays the same for as long as the notification is near the visible part, and so do
 * its unchanged pictures.
 *
 * @param host the inbox element: labels, template, and the handlers of clicks
 */
export const createRow = (host) => {
  const id = `row-${++count}`
  const article = make('article', { tabindex: -1 })
  const text = make('a', { part: 'text', id, tabindex: -1 })
  const time = make('time', { part: 'time' })
  const [avatar, preview, pictures, buttons, group, reason] = Array.from({ length: 6 }, () => make('div'))
  const body = make('div', { class: 'body' })
  const dot = make('span', { part: 'dot', role: 'img' })
  const tools = make('div', { class: 'tools' })
  /** The present content of each place, as text. */
  const shown = new Map()
  let item, line, sign, custom

  const tool = (part, name, drawing, click) => {
    const label = host.say(name)
    return button({ part, class: 'icon', 'aria-label': label, title: label, click }, drawing())
  }
  const lay = () => {
    tools.replaceChildren(
      ...(host.hasAttribute('explain')
        ? [tool('explain-button', 'explain', question, () => host.attempt(extra('explain', host, item, reason)))]
        : []),
      tool('remove', 'remove', cross, () => host.removeRow(row)),
    )
    set(dot, 'aria-label', host.say('unread'))
    custom = host.renderItem || host.template
    body.replaceChildren(...(custom ? [] : [text, preview, time, pictures, buttons]), group, reason)
    article.replaceChildren(custom ? make('div', { part: 'content' }) : avatar, body, dot, tools)
    shown.clear()
  }
  /** Fills a place anew only if its content has changed; a focus in it stays there. */
  const show = (place, key, create) => {
    const text = JSON.stringify(key)
    if (shown.get(place) === text) return
    shown.set(place, text)
    const hasFocus = place.contains(host.shadowRoot.activeElement)
    place.replaceChildren(...[create()].filter(Boolean))
    if (hasFocus) (place.querySelector('button') ?? article).focus()
  }
  const showItem = () => {
    const { actor } = item
    const [name, rest] = piecesOf(item)
    show(text, [name, rest], () => make('bdi', {}, name && make('b', {}, name), rest))
    set(text, 'href', urlOf(host.linkOf(item)))
    show(avatar, [actor?.id, actor?.avatarUrl, nameOf(actor)], () => avatarOf(actor))
    show(preview, item.preview, () => typeof item.preview === 'string' && make('p', { part: 'preview', dir: 'auto' }, item.preview))
    const samples = picturesOf(item)
    show(pictures, samples, () => samples.pictures[0] && make('div', { part: 'thumbnails' },
      ...samples.pictures.map(({ url, type }) =>
        make('span', { part: 'thumbnail', class: /video/i.test(type) ? 'video' : 'still' }, picture(url))),
      samples.rest > 0 && make('span', { part: 'more-pictures' }, `… ${host.say('morePictures', samples.rest)}`)))
    const named = [...answersOf(item, Date.now()), ...buttonsOf(item, host.labels)]
    const answer = answerOf(item)
    show(buttons, [named, answer], () => (answer || named[0]) && make('div', { class: 'buttons' },
      answer && make('span', { part: 'answer' }, `✓ ${answer}`),
      ...named.map((one) => button({
        part: one.answer ? 'action answer' : one.action === 'follow' ? 'action follow' : 'action',
        class: one.isOn ? 'on' : 'off',
        click: () => (one.answer ? host.attempt(host.inbox.answer(item.id, one.answer)) : host.activate(item, one)),
      }, one.label))))
    set(time, 'datetime', item.createdAt)
    set(time, 'title', momentOf(timeOf(item), host.locale))
  }

  const row = {
    article,
    get item() {
      return item
    },
    get line() {
      return line
    },
    /** Closes the explanation; false if there was none. */
    closeReason() {
      if (!reason.firstChild) return false
      reason.replaceChildren()
      return true
    },
    /** Labels, the template or `explain` have changed. */
    relay() {
      item = undefined
    },
    /** Shows a line as it is at a moment; does little if it is the one that is shown. */
    show(next, now) {
      const { key, count, isOpen, isPart, isPartial } = (line = next)
      const before = item
      const lastSign = sign
      sign = [key, count, isOpen, isPart, isPartial, Math.floor(now / 60_000)].join()
      if (before === line.item && sign === lastSign) return
      if (!before) lay()
      ;({ item } = line)
      const part = `item ${item.isRead ? 'read' : 'unread'}${isPart ? ' in-group' : ''}`
      set(article, 'part', part)
      set(article, 'class', part)
      dot.hidden = item.isRead
      const age = (time) => ageOf(time, now, host.locale, host.say('justNow'))
      set(article, 'aria-labelledby', custom ? null : id)
      if (!custom) {
        if (before !== item) showItem()
        write(time, age(timeOf(item)))
      } else {
        set(article, 'aria-label', item.displayText)
        host.attempt(extra('draw', host, item, article.firstChild, age))
      }
      show(group, [key, count, isOpen, isPartial], () => count > 0 && button({
        part: 'group',
        class: 'link',
        'aria-expanded': `${isOpen}`,
        click: () => host.toggleGroup(key),
      }, isOpen ? host.say('hideGroup') : host.say('showGroup', isPartial ? `${count}+` : count)))
      if (before?.rev < item.rev) host.flash(article)
    },
  }
  article.addEventListener('click', (event) => {
    const inside = event.composedPath()
    inside.length = inside.indexOf(article)
    if (inside.some((node) => node.matches?.('button,[data-action],input,select,.explanation'))) {
      const action = inside.find((node) => node.dataset?.action)?.dataset.action
      if (action) host.activate(item, { action })
      return
    }
    const link = inside.find((node) => node.href)
    // The browser itself opens the new tab.
    if (event.metaKey || event.ctrlKey || event.shiftKey) {
      if (link) host.markRead(item)
      return
    }
    if (link) event.preventDefault()
    host.activate(item)
  })
  article.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse') host.attempt(extra('swipe', event, article, () => host.removeRow(row)))
  })
  return row
}
