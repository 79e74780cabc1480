import { ageOf, momentOf } from './dates.js'
import { make, set, write } from './dom.js'
import { cross, question } from './icons.js'
import { timeOf } from './lines.js'
import { letSwipe } from './swipe.js'
import { fill } from './template.js'
import { linkOf, urlOf } from './url.js'
import { buttonsOf, hueOf, initialsOf, nameOf, picturesOf, piecesOf, sentencesOf } from './words.js'

let count = 0

const picture = (url, attributes) => make('img', { src: url, alt: '', loading: 'lazy', decoding: 'async', referrerpolicy: 'no-referrer', ...attributes })

/** A round picture of the one who did it, or their initials. */
const avatarOf = (actor) => {
  const name = nameOf(actor)
  const letters = make('span', { part: 'avatar', class: 'avatar', 'aria-hidden': 'true' }, initialsOf(name) || '•')
  letters.style.setProperty('--hue', hueOf(actor?.id ?? name))
  const url = urlOf(actor?.avatarUrl)
  // A picture that cannot be loaded leaves the initials.
  if (url) letters.append(picture(url, { error: ({ target }) => target.remove() }))
  return letters
}

/**
 * A notification's article. Its node stays the same for as long as the notification is in the list, and so do the
 * pictures of it that have not changed.
 *
 * @param host the inbox element: labels, template, and what clicks lead to
 */
export const createRow = (host) => {
  const id = `row-${++count}`
  const article = make('article', { part: 'item', 'aria-labelledby': id, tabindex: -1 })
  const body = make('div', { class: 'body' })
  const text = make('a', { part: 'text', class: 'text', id, tabindex: -1 })
  const time = make('time', { part: 'time' })
  const dot = make('span', { part: 'dot', class: 'dot', role: 'img' })
  const button = (part, label, drawing, action) =>
    make('button', { part, class: 'icon', type: 'button', tabindex: -1, 'aria-label': label, title: label, click: action }, drawing())
  const tools = make('div', { class: 'tools' })
  let item, line, shown, custom, reason, age

  const lay = () => {
    tools.replaceChildren(
      ...(host.hasAttribute('explain') ? [button('explain-button', host.say('explain'), question, () => toggleReason())] : []),
      button('remove', host.say('remove'), cross, () => host.removeRow(row)),
    )
    set(dot, 'aria-label', host.say('unread'))
    const { template } = host
    custom = host.renderItem || template
    body.replaceChildren()
    if (custom) {
      text.hidden = true
      const content = make('div', { part: 'content', class: 'content' })
      if (template && !host.renderItem) content.append(document.importNode(template.content, true))
      article.replaceChildren(content, body, dot, tools)
    } else article.replaceChildren(make('span'), body, dot, tools)
    shown = {}
  }
  /** Replaces a piece only if what it shows has changed. */
  const piece = (name, key, create) => {
    const sign = JSON.stringify(key)
    if (shown[name]?.sign === sign) return
    const node = create()
    if (node) set(node, 'data-piece', name)
    shown[name] = { sign, node }
    return true
  }

  const showText = () => {
    const [name, rest] = piecesOf(item)
    piece('text', [name, rest], () => {
      text.replaceChildren(make('bdi', {}, name && make('b', {}, name), rest))
    })
    set(text, 'href', urlOf(host.linkOf(item)))
  }
  const content = () => {
    const { pictures, rest } = picturesOf(item)
    const buttons = buttonsOf(item, host.labels)
    const preview = typeof item.preview === 'string' ? item.preview : ''
    let hasChanged = piece('preview', preview, () => preview && make('p', { part: 'preview', class: 'preview', dir: 'auto' }, preview))
    hasChanged |= piece('pictures', [pictures, rest], () => pictures[0] && make('div', { part: 'thumbnails', class: 'thumbnails' },
      ...pictures.map(({ url, type }) => {
        const src = urlOf(url)
        return make('span', { part: 'thumbnail', class: /video/i.test(type) ? 'thumbnail video' : 'thumbnail' },
          src && picture(src, { error: ({ target }) => target.remove() }))
      }),
      rest > 0 && make('span', { part: 'more-pictures', class: 'rest' }, `… ${host.say('morePictures', rest)}`)))
    hasChanged |= piece('buttons', buttons, () => buttons[0] && make('div', { class: 'buttons' },
      ...buttons.map((one) => make('button', {
        part: one.action === 'follow' ? 'action follow' : 'action',
        class: one.isOn ? 'action on' : 'action',
        type: 'button',
        tabindex: -1,
        click: () => host.activate(item, one),
      }, one.label))))
    hasChanged |= piece('group', [line.key, line.count, line.isOpen], () => line.count > 0 && make('button', {
      part: 'group',
      class: 'link',
      type: 'button',
      tabindex: -1,
      'aria-expanded': `${line.isOpen}`,
      click: () => host.toggleGroup(line.key),
    }, line.isOpen ? host.say('hideGroup') : host.say('showGroup', line.count)))
    if (hasChanged) {
      const names = custom ? ['group'] : ['preview', 'time', 'pictures', 'buttons', 'group']
      const pieces = names.map((name) => (name === 'time' ? time : shown[name].node)).filter(Boolean)
      const held = host.shadowRoot.activeElement
      const place = body.contains(held) && held.closest('[data-piece]')?.dataset.piece
      body.replaceChildren(...(custom ? [] : [text]), ...pieces, ...(reason ? [reason] : []))
      // What had the focus was taken out, and may have been made anew.
      if (place) (body.querySelector(`button[data-piece=${place}],[data-piece=${place}] button`) ?? article).focus()
    }
  }
  const showAge = () => {
    write(time, age(timeOf(item)))
    if (custom && !host.renderItem) fill(article.firstChild, item, age)
  }

  const toggleReason = async () => {
    if (reason) {
      reason.remove()
      reason = undefined
      return
    }
    const panel = (reason = make('ul', { part: 'explanation', class: 'reason', 'aria-live': 'polite' }, make('li', {}, host.say('loading'))))
    body.append(panel)
    const { id } = item
    try {
      const answer = await host.inbox.explain(id)
      const sentences = sentencesOf(answer?.data ?? answer)
      panel.replaceChildren(...(sentences[0] ? sentences : [host.say('unexplained')]).map((one) => make('li', {}, one)))
    } catch {
      panel.replaceChildren(make('li', {}, host.say('unexplained')))
    }
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
      if (!reason) return false
      toggleReason()
      return true
    },
    /** Labels, the template or `explain` have changed. */
    relay() {
      item = undefined
    },
    /** Shows a line as it is at a moment; does little if it is the one that is shown. */
    show(next, now) {
      const isSame = item === next.item
      const before = line
      line = next
      const moment = Math.floor(now / 60_000)
      const hasAged = row.moment !== moment
      row.moment = moment
      if (isSame && !hasAged && before.key === line.key && before.count === line.count && before.isOpen === line.isOpen && before.isPart === line.isPart) return
      age = (time) => ageOf(time, now, host.locale, host.say('justNow'))
      const isNew = !item
      if (isNew) lay()
      const hasGrown = !isNew && !isSame && item.rev < line.item.rev
      ;({ item } = line)
      set(article, 'part', `item ${item.isRead ? 'read' : 'unread'}${line.isPart ? ' in-group' : ''}`)
      article.className = `${item.isRead ? 'read' : 'unread'}${line.isPart ? ' in-group' : ''}`
      dot.hidden = item.isRead
      if (!isSame) {
        if (!custom) {
          showText()
          if (piece('avatar', [item.actor?.id, item.actor?.avatarUrl, nameOf(item.actor)], () => avatarOf(item.actor))) {
            article.firstChild.replaceWith(shown.avatar.node)
          }
          set(time, 'datetime', item.createdAt)
          set(time, 'title', momentOf(timeOf(item), host.locale))
        } else {
          set(article, 'aria-label', item.displayText)
          set(article, 'aria-labelledby', null)
          if (host.renderItem) host.attemptRender(item, article.firstChild)
        }
      }
      content()
      showAge()
      if (hasGrown) host.flash(article)
    },
  }
  article.addEventListener('click', (event) => {
    const target = event.composedPath()[0]
    const path = event.composedPath()
    const inside = path.slice(0, path.indexOf(article))
    if (inside.some((node) => node.matches?.('button, [data-action], .reason, input, select'))) {
      const named = inside.find((node) => node.dataset?.action)
      if (named) host.activate(item, { action: named.dataset.action })
      return
    }
    // A new tab is the browser's own affair.
    if (event.metaKey || event.ctrlKey || event.shiftKey) {
      if (inside.some((node) => node.href)) host.markRead(item)
      return
    }
    if (inside.some((node) => node.href)) event.preventDefault()
    if (target) host.activate(item)
  })
  letSwipe(article, () => host.removeRow(row))
  return row
}
