// How a notification looks: the row of the inbox, and the lock screen, in each language.
import { chip, make } from './dom.js'

/** One type: `{ type, languages: [{ language, displayText, push: { title, body } }] }`. */
export const rendered = ({ type, title, languages, lists }) =>
  make('section', { class: 'rendered', 'aria-label': type },
    make('h3', null, type, title && title !== type ? make('span', { class: 'dim' }, ` ${title}`) : '', ...(lists ?? []).map((list) => chip(`to ${list}`))),
    make('ul', { class: 'languages' }, ...languages.map(({ language, displayText, push }) => {
      const lang = language || null
      return make('li', null,
        make('p', { class: 'dim language' }, language || 'without a language'),
        make('p', { class: 'inbox-row', lang, dir: 'auto' }, displayText || make('span', { class: 'dim' }, 'not in the app')),
        push
          ? make('div', { class: 'lock-card', lang }, make('p', { class: 'lock-title', dir: 'auto' }, push.title), make('p', { dir: 'auto' }, push.body))
          : make('p', { class: 'dim' }, 'no push'))
    })))
