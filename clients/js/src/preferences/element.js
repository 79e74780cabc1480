import { BelfryElement, firstDayOf, make, style } from '../../elements.js'
import { categoryPatch, channels, groupsOf, isFree, isOffered, resetPatch, stateOf, titleOf, typePatch } from './choices.js'
import { labels } from './labels.js'
import { dayName, daysFrom, tomorrow, usualHours, withMore } from './quiet.js'
import { preferencesStyle } from './style.js'

/** A person's settings. docs/elements.md tells of its attributes, parts and labels. */
export class BelfryPreferences extends BelfryElement {
  static get observedAttributes() {
    return [...super.observedAttributes, 'worker', 'app']
  }
  static get properties() {
    return [...super.properties, 'subjectName']
  }
  /** `{prefs, mutes, quiet, push}`, once they are known. */
  #state
  #body = make('div')
  #failure = make('p', { part: 'failed', class: 'failed', role: 'alert', hidden: true })
  /** The shown name of a muted subject; the app knows a better one than the server. */
  subjectName = (subject) => subject.slice(subject.indexOf(':') + 1)

  constructor() {
    super(style, preferencesStyle)
    this.shadowRoot.append(make('slot', { name: 'header' }), this.#failure, this.#body)
  }
  static get words() {
    return labels
  }
  relabel() {
    this.#draw()
  }

  follow(inbox) {
    this.#state = undefined
    this.#load()
    return [inbox.on('prefs', () => this.#load())]
  }
  render() {
    if (!this.#state) this.#draw()
  }

  async #load() {
    const { inbox } = this
    try {
      const [prefs, mutes, quiet, push] = await Promise.all([inbox.prefs(), inbox.mutes(), inbox.quietHours(), this.#pushState(inbox)])
      if (inbox !== this.inbox) return
      this.#state = { prefs, mutes: mutes.mutes, quiet, push }
      this.#draw()
    } catch (error) {
      this.failed(error)
    }
  }
  #pushState = async ({ push }) => (push ? push.state().catch(() => 'unsupported') : 'unsupported')
  get #pushOptions() {
    return { worker: this.getAttribute('worker') ?? undefined, app: this.getAttribute('app') ?? undefined }
  }

  /** Carries out a person's choice, and shows the settings then, whether or not it has worked. */
  async #change(name, action) {
    this.#failure.hidden = true
    try {
      const answer = await action(this.inbox)
      this.#state[name] = name === 'mutes' ? answer.mutes : answer
      if (name === 'push') this.#state.push = await this.#pushState(this.inbox)
    } catch (error) {
      this.tell('belfry-error', { error })
      this.failed(error)
    }
    this.#draw()
  }
  /** Tells the reason if there are words for it. An error without a code, for developers, is told as the browser has it. */
  failed({ code, message }) {
    this.#failure.textContent = code in this.labels ? this.say(code) : code ? this.say('failed') : `${this.say('failed')} (${message})`
    this.#failure.hidden = false
  }

  /** Draws all anew; the focus stays on what has the same key. */
  #draw() {
    if (!this.inbox) return
    const key = this.shadowRoot.activeElement?.dataset.key
    const state = this.#state
    this.#body.replaceChildren(
      make('h2', { part: 'title', class: 'title' }, this.say('title')),
      ...(state
        ? [this.#webPush(state.push), this.#snooze(state.quiet.snooze), this.#quietHours(state.quiet.quietHours), this.#choices(state.prefs), state.mutes[0] && this.#mutes(state.mutes)].filter(Boolean)
        : [make('p', { class: 'hint' }, this.say('loading'))]),
    )
    if (key) [...this.#body.querySelectorAll('[data-key]')].find((node) => node.dataset.key === key)?.focus()
  }
  #section(name, ...children) {
    return make('section', { part: `section ${name}` }, ...children)
  }
  #switch(key, label, isOn, action, isDisabled) {
    const node = make('input', {
      part: 'switch', type: 'checkbox', role: 'switch', 'aria-label': label, 'data-key': key, disabled: isDisabled, change: () => action(node.checked),
    })
    node.checked = isOn
    node.indeterminate = isOn === undefined
    return node
  }
  #button(key, text, action) {
    return make('button', { part: 'button', class: 'pill', type: 'button', 'data-key': key, click: action }, text)
  }
  #heading(title, hint) {
    return make('div', { class: 'grow' }, make('h3', { part: 'heading' }, this.say(title)), hint && make('p', { class: 'hint' }, hint))
  }

  #webPush(state) {
    const isFixed = state !== 'on' && state !== 'off'
    const hint = this.say(isFixed ? state : 'webPushHint')
    const act = (isOn) => this.#change('push', ({ push }) => (isOn ? push.enable(this.#pushOptions) : push.disable(this.#pushOptions)))
    return this.#section('web-push', make('div', { class: 'row' }, this.#heading('webPush', hint), this.#switch('web-push', this.say('webPush'), state === 'on', act, isFixed)))
  }

  #moment(text) {
    return new Intl.DateTimeFormat(this.locale || undefined, { weekday: 'short', hour: 'numeric', minute: '2-digit' }).format(new Date(text))
  }
  #snooze(snooze) {
    const act = (until) => () => this.#change('quiet', (inbox) => inbox.snooze(until))
    const isOn = snooze && Date.parse(snooze.until) > Date.now()
    const buttons = isOn
      ? [this.#button('snooze', this.say('end'), act(null))]
      : [
          this.#button('snooze', this.say('hour'), act({ hours: 1 })),
          this.#button('snooze-8', this.say('hours', 8), act({ hours: 8 })),
          this.#button('snooze-day', this.say('tomorrow'), () => act(tomorrow(Date.now()))()),
        ]
    return this.#section('snooze', make('div', { class: 'row' }, this.#heading('snooze', isOn && this.say('snoozedUntil', this.#moment(snooze.until))), ...buttons))
  }

  #quietHours(hours) {
    const save = (next) => this.#change('quiet', (inbox) => inbox.quietHours(next))
    const windows = hours?.windows ?? []
    const change = (index, some) => save({ ...hours, windows: windows.map((one, at) => (at === index ? { ...one, ...some } : one)) })
    const time = (index, name) => {
      const node = make('input', { type: 'time', required: true, value: windows[index][name], 'data-key': `${name}-${index}`, change: () => node.value && change(index, { [name]: node.value }) })
      return make('label', { class: 'row' }, this.say(name), node)
    }
    const day = (index, name) => {
      const { days } = windows[index]
      const node = make('input', {
        type: 'checkbox', 'data-key': `${name}-${index}`,
        change: () => change(index, { days: daysFrom(1).filter((one) => (one === name ? node.checked : days.includes(one))) }),
      })
      node.checked = days.includes(name)
      // One day at least.
      node.disabled = node.checked && days.length === 1
      return make('label', { part: 'day', class: 'day' }, node, dayName(name, this.locale))
    }
    const week = daysFrom(firstDayOf(this.locale || navigator.language))
    return this.#section('quiet-hours',
      make('div', { class: 'row' }, this.#heading('quietHours', hours?.zone ?? this.say('quietHint')),
        this.#switch('quiet', this.say('quietHours'), !!hours, (isOn) => save(isOn ? usualHours() : null))),
      ...windows.map((_, index) => make('fieldset', { part: 'times' },
        make('legend', { class: 'hint' }, this.say('days')),
        make('div', { class: 'week' }, ...week.map((name) => day(index, name))),
        make('div', { class: 'row hours' }, time(index, 'from'), time(index, 'to'),
          windows[1] && this.#button(`remove-${index}`, this.say('removeTimes'), () => save({ ...hours, windows: windows.filter((_, at) => at !== index) }))))),
      hours && withMore(windows) && this.#button('add', this.say('addTimes'), () => save({ ...hours, windows: withMore(windows) })))
  }

  #choices(prefs) {
    const save = (patch) => this.#change('prefs', (inbox) => inbox.prefs(patch))
    const cells = (key, title, state, patch, isHere, isOpen) => channels.map((channel) => isHere(channel)
      ? this.#switch(`${key} ${channel}`, `${title}: ${this.say(channel)}`, state(channel), (isOn) => save(patch(channel, isOn)), !isOpen(channel))
      : make('span'))
    const rows = groupsOf(prefs).flatMap((group) => {
      const { types } = group
      const title = group.name ? titleOf(group) : this.say('others')
      const some = (rule) => (channel) => types.some((type) => rule(type, channel))
      return [
        make('h3', { part: 'category', class: 'name' }, title),
        ...cells(`c ${group.name}`, title, (channel) => stateOf(group, channel), (...change) => categoryPatch(group, ...change), some(isOffered), some(isFree)),
        ...types.flatMap((type) => [
          make('span', { part: 'type', class: 'name' }, titleOf(type), type.required && make('span', { class: 'hint' }, ` · ${this.say('required')}`)),
          ...cells(`t ${type.name}`, titleOf(type), (channel) => type.effective[channel], (...change) => typePatch(type, ...change), (channel) => isOffered(type, channel), (channel) => isFree(type, channel)),
        ]),
      ]
    })
    const { categories, types } = resetPatch(prefs)
    const hasChosen = Object.keys(categories)[0] || Object.keys(types)[0]
    return this.#section('choices',
      make('div', { class: 'choices' }, make('span'), ...channels.map((channel) => make('span', { class: 'head' }, this.say(channel))), ...rows),
      hasChosen && make('div', { class: 'row' }, this.#button('reset', this.say('reset'), () => save({ categories, types }))))
  }

  #mutes(mutes) {
    return this.#section('mutes', this.#heading('mutes'), make('ul', {}, ...mutes.map(({ subject, until }) => make('li', { part: 'mute', class: 'row' },
      make('span', { class: 'grow' }, this.subjectName(subject), until && make('span', { class: 'hint' }, ` ${this.say('mutedUntil', this.#moment(until))}`)),
      make('button', { part: 'button', class: 'pill', type: 'button', 'data-key': `mute ${subject}`, 'aria-label': `${this.say('unmute')}: ${this.subjectName(subject)}`, click: () => this.#change('mutes', (inbox) => inbox.unmute(subject)) }, this.say('unmute'))))))
  }
}
