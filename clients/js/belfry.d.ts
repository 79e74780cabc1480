/**
 * Belfry's client for browsers and Node 20 and newer.
 *
 * Every function may be called at any time, also before there is a connection and after it has ended. Promises are rejected with
 * a `BelfryError`. Times are milliseconds since 1970, by the client's clock, unless they are texts as the server writes them.
 */

/** Opens a person's inbox. Throws a `BelfryError` with the code `no_websocket` where there is no `WebSocket`. */
export function connect(options: ConnectOptions): Inbox

export interface ConnectOptions {
  /**
   * Where the server is: `wss://…` or `https://…`, with or without `/v1/live`, also with a path before that. Without it, the
   * origin of the page.
   */
  url?: string
  /**
   * Gives the token of the person who is signed in. If nobody is, it gives null and the client stops. If it throws, the client
   * tries again later. The client asks at first, when the server wants another token on the open connection (`renew`), and when
   * the token before has expired.
   */
  token: (request: { reason: 'first' | 'renew' | 'expired' }) => Promise<string | null> | string | null
  /**
   * Whether somebody looks. Only then does the client acknowledge notifications, which keeps their pushes back. `auto` is the
   * default: the page is visible and has the focus; outside of a browser, nobody looks. A function is called at each event that
   * may change its answer.
   */
  attention?: 'auto' | (() => boolean)
  /**
   * One connection for all tabs of this browser and user; true by default. It needs Web Locks, BroadcastChannel and a token whose
   * payload has a `sub`. Without them each tab has a connection of its own. A text shares only with tabs that have the same text:
   * for pages of several apps on one origin, whose users may have the same ids.
   */
  share?: boolean | string
  /**
   * Whether the client may take another way where WebSockets do not work; true by default. It loads `belfry-ways.js` for that, from
   * beside its own file.
   */
  fallback?: boolean
  /** The class of sockets, where there is no global `WebSocket`, as in Node 20. */
  WebSocket?: new (url: string, protocols: string[]) => object
}

/** `connecting`; `live`; `waiting` until `retryAt`; `stopped` for good, with a `reason`. */
export type Status = 'connecting' | 'live' | 'waiting' | 'stopped'

/**
 * Why a client has stopped: `closed` by the app; `signed_out`: the app has no token; `token_refused`; `revoked`: the person was
 * erased; `unsupported_version` of the protocol; `protocol`: the server takes this client to be wrong.
 */
export type StopReason =
  | 'closed'
  | 'signed_out'
  | 'token_refused'
  | 'revoked'
  | 'unsupported_version'
  | 'protocol'

/** The inbox at one moment. It is frozen. It, and each part of it, is a new object only when something in it has changed. */
export interface Snapshot {
  readonly status: Status
  /** Why the client has stopped; with `waiting`, `token` if the app's own function gave none. */
  readonly reason?: StopReason | 'token'
  /** With `waiting` only: when the client tries again. */
  readonly retryAt?: number
  /** With `live` only: `events` where WebSockets do not work, `poll` where streams do not either. */
  readonly way?: 'websocket' | 'events' | 'poll'
  /** Whether the client has everything that the server had at its last sign of life. */
  readonly synced: boolean
  /** The server's number of unread notifications, less those that commands under way read or remove. */
  readonly unread: number
  readonly unseen: number
  /** The newest notifications, as many as were loaded. */
  readonly items: readonly Notification[]
  /** Whether older ones can be loaded with `more()`. */
  readonly more: boolean
}

/** A notification as the server's list has it; the catalog adds members of its own. */
export interface Notification {
  readonly id: string
  readonly type: string
  readonly displayText: string
  readonly isRead: boolean
  readonly isSeen: boolean
  readonly createdAt: string
  /** How often it has changed, from 1. */
  readonly rev: number
  /** The change of the inbox at which its content last changed. */
  readonly seq: number
  readonly actor?: { readonly id: string; readonly [member: string]: unknown } | null
  /** The target of a tap. */
  readonly deepLink?: { readonly type: string; readonly [member: string]: unknown }
  readonly category?: string
  readonly group?: string
  /** What it asks, and the answer; `answer` is null until there is one. */
  readonly question?: Question
  readonly [member: string]: unknown
}

export interface Question {
  readonly actions: readonly { readonly id: string; readonly label: string }[]
  /** An answer counts before this time. */
  readonly answerBy?: string
  /** The action that counts from then on. */
  readonly default?: string
  readonly answer: {
    /** Null if nobody answered in time, and there is no default. */
    readonly action: string | null
    readonly at: string
    readonly by: 'live' | 'rest' | 'push' | 'publisher' | 'expiry'
  } | null
}

/** The detail of each event. */
export interface Events {
  /** A notification has come, now or while the client was away. */
  new: Notification
  /** A notification has grown, or one of its fields has changed. */
  update: Notification
  /** The names of notifications that have left the list. */
  gone: string[]
  /** The list starts anew: take it from the snapshot. */
  reset: Snapshot
  /** The person has changed their settings, here or elsewhere. */
  prefs: Settings
  /** `status` has changed. */
  status: Snapshot
  /** The person has clicked on a push: show what it is about, as after a click in the list. */
  activate: Activation
}

export interface Activation {
  /** The notification's name; a test push has none. */
  readonly id?: string
  /** The push's `data`, as the catalog has it. */
  readonly data: { readonly [member: string]: unknown }
}

export interface Channels {
  inApp?: boolean
  push?: boolean
}

/** A person's choices; the catalogs name types and categories. */
export interface Settings {
  readonly rev: number
  readonly preferences: { readonly types: Record<string, Channels>; readonly categories: Record<string, Channels> }
  readonly mutes: readonly Mute[]
  readonly quietHours: QuietHours | null
  readonly snooze: { readonly until: string } | null
}

/** Changes of the types and categories that it names; null takes a choice back. */
export interface PreferencesPatch {
  types?: Record<string, Channels | null>
  categories?: Record<string, Channels | null>
}

export interface Preferences {
  readonly rev: number
  readonly categories: readonly { readonly name: string; readonly title: string; readonly choice: Channels; readonly [member: string]: unknown }[]
  readonly types: readonly {
    readonly name: string
    readonly title: string
    readonly category?: string
    readonly required: boolean
    readonly default: Channels
    readonly choice: Channels
    readonly effective: Channels
    readonly [member: string]: unknown
  }[]
}

export interface Mute {
  /** `actor:u7`, or a kind that the catalog names: `room:789`. */
  readonly subject: string
  readonly until: string | null
}

export interface QuietHours {
  zone?: string
  windows: { days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[]; from: string; to: string }[]
}

export interface QuietTimes {
  readonly rev: number
  readonly quietHours: QuietHours | null
  readonly snooze: { readonly until: string } | null
}

/** A place in a feed: the `epoch` and `offset` of an entry. */
export interface FeedPlace {
  epoch: string
  offset: number
}

/**
 * An item of a feed. With `replaces` or `removes`, it changes the item at that offset. `reset` means that too much was missed:
 * forget all items, the newest 500 follow.
 */
export type FeedEntry<Item = unknown> =
  | { readonly epoch: string; readonly offset: number; readonly item: Item; readonly replaces?: number; readonly removes?: undefined; readonly reset?: undefined }
  | { readonly epoch: string; readonly offset: number; readonly item: null; readonly removes: number; readonly id: string; readonly reset?: undefined }
  | { readonly epoch: string; readonly reset: true; readonly offset?: undefined; readonly item?: undefined }

export interface Feed<Item = unknown> extends AsyncIterable<FeedEntry<Item>> {
  /**
   * Calls `listener` for each entry, and `ended` once at the end: with an error if the person may not follow the feed.
   * Returns a function that ends the subscription.
   */
  subscribe(listener: (entry: FeedEntry<Item>) => void, ended?: (error?: BelfryError) => void): () => void
}

export interface Push {
  /** Whether this browser gets pushes of this inbox. */
  state(): Promise<'unsupported' | 'denied' | 'on' | 'off'>
  /**
   * Asks the person for permission, registers the service worker, and registers this browser with the server. Call it from a
   * click the first time, and at each start from then on. Rejected with `permission_denied`, also where there are no pushes.
   */
  enable(options?: { worker?: string | { toString(): string }; app?: string }): Promise<unknown>
  /** Ends pushes to this browser; for logging out. */
  disable(options?: { app?: string }): Promise<unknown>
}

export interface Inbox {
  /** The inbox as it is now. */
  readonly snapshot: Snapshot
  /** Calls `listener` after each change of the snapshot. Returns a function that ends the calls. */
  subscribe(listener: (snapshot: Snapshot) => void): () => void
  /** Calls `listener` for each event of that name. Returns a function that ends the calls. */
  on<Name extends keyof Events>(event: Name, listener: (detail: Events[Name]) => void): () => void

  /**
   * Marks notifications as read: those with these names, all that last changed at or before a `seq`, or by default all so far.
   * The change is shown at once, and taken back if the server refuses. Without a connection the command waits for one.
   */
  read(what?: readonly string[] | { upTo: number }): Promise<unknown>
  /** Tells that the person has looked at the list: no notification counts as unseen any more. */
  seen(): Promise<unknown>
  /** Takes notifications out of the inbox; shown at once. */
  remove(ids: readonly string[]): Promise<unknown>
  /**
   * Answers a notification's question by one of its actions. It resolves once the answer is stored, also if the same
   * answer stood before. It rejects with the code `already_answered` or `too_late` where another one stands.
   */
  answer(id: string, action: string): Promise<unknown>
  /** Loads up to a hundred older notifications. */
  more(): Promise<void>

  /** Changes the person's preferences if a patch is given, and returns the present ones. */
  prefs(patch?: PreferencesPatch): Promise<Preferences>
  mutes(): Promise<{ readonly rev: number; readonly mutes: readonly Mute[] }>
  /** Mutes a subject, for good or until a moment such as `2027-01-01T00:00:00Z`. */
  mute(subject: string, until?: string): Promise<{ readonly rev: number; readonly mutes: readonly Mute[] }>
  unmute(subject: string): Promise<{ readonly rev: number; readonly mutes: readonly Mute[] }>
  /** Sets quiet hours, or ends them with null. Returns the present quiet hours and snooze. */
  quietHours(hours?: QuietHours | null): Promise<QuietTimes>
  /** Holds back all but urgent pushes until then, or for so many hours; null ends the snooze. */
  snooze(until: string | { hours: number } | null): Promise<QuietTimes>
  /** The decisions about one notification, and why; `not_found` from a server that does not tell. */
  explain(id: string): Promise<unknown>

  /** A feed, from its next item on, or behind a place; 0 for its newest 500 first. */
  feed<Item = unknown>(name: string, options?: { after?: FeedPlace | 0 }): Feed<Item>
  readonly push: Push

  /** Ends the wait before the next try, unless the server itself has asked for the delay. */
  retry(): void
  /** Ends the connection for good; commands that are under way are rejected with `closed`. Other tabs go on. */
  close(): void
}

/** An inbox has `Symbol.dispose` where the runtime has it; it does the same as `close`. */
export type DisposableInbox = Inbox & { [name: symbol]: () => void }

export class BelfryError extends Error {
  constructor(code: string, message?: string, temporary?: boolean)
  /** Stable: the code of the server's problem or error frame, `network` if none came, or the client's reason to stop. */
  readonly code: string
  /** Whether the same call may succeed later. */
  readonly temporary: boolean
}
