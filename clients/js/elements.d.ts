/** The custom elements `<belfry-inbox>` and `<belfry-bell>`; docs/elements.md tells of their parts, slots and templates. */

import type { Inbox, Notification } from './belfry.js'

/** A word of the elements: `{count}` in a text stands for a number. */
export type Label = string | ((value: number) => string)

/** The members of all elements. */
export class BelfryElement extends HTMLElement {
  /** The client: the one that was set, or that of `for`, of `token-url`, or of `provide`. */
  inbox: Inbox | undefined
  /** Words that replace the elements' own. */
  get labels(): Record<string, Label>
  set labels(labels: Record<string, Label>)
}

export class BelfryInbox extends BelfryElement {
  /** Makes the content of a notification; called with the node that it stands in, each time that it changes. */
  renderItem?: (notification: Notification, node: HTMLElement) => Node | void
  /** The address that a notification opens; by default `deepLink.url`. */
  linkOf: (notification: Notification) => unknown
}

export class BelfryBell extends BelfryElement {
  renderItem?: BelfryInbox['renderItem']
  linkOf: BelfryInbox['linkOf']
  readonly isOpen: boolean
  open(): void
  close(): void
}

/** Gives a client to all present and later elements of the page that name no other one. */
export function provide(inbox: Inbox): void

/** The detail of `belfry-activate`, which can be prevented. */
export interface Activated {
  readonly id: string
  readonly deepLink?: Notification['deepLink']
  readonly notification: Notification
  /** Of a button: `follow`, or what the notification names. */
  readonly action?: string
}

declare global {
  interface HTMLElementTagNameMap {
    'belfry-inbox': BelfryInbox
    'belfry-bell': BelfryBell
  }
  interface HTMLElementEventMap {
    'belfry-activate': CustomEvent<Activated>
    'belfry-remove': CustomEvent<{ readonly id: string; readonly notification: Notification }>
    'belfry-error': CustomEvent<{ readonly error: unknown }>
    'belfry-open': CustomEvent<null>
    'belfry-close': CustomEvent<null>
  }
}
