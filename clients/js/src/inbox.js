/** The number of rows that another tab begins with. */
const pageLength = 100
/** The number of rows in the server's `reset`; with fewer, there are no older ones. */
const resetLength = 20

/** Makes only one frozen copy of a row, so that a row which looks the same is the same object. */
const copying = (marks) => {
  const copies = new WeakMap()
  return (row) => {
    if (!copies.has(row)) copies.set(row, Object.freeze({ ...row, ...marks }))
    return copies.get(row)
  }
}
const asRead = copying({ isRead: true, isSeen: true })
const asSeen = copying({ isSeen: true })

/** The rows after a change: a frame of the server, or a command that is under way. */
const edit = (rows, { type, ids, upTo, notification }) => {
  const named = new Set(ids)
  const isMeant = (row) => (ids ? named.has(row.id) : row.seq <= upTo)
  const isOld = (row) => row.id === notification.id && row.rev <= notification.rev
  if (notification) return rows.map((row) => (isOld(row) ? notification : row))
  if (type === 'remove' || type === 'removed') return rows.filter((row) => !isMeant(row))
  const isRead = type === 'read'
  return rows.map((row) =>
    (isRead ? row.isRead : row.isSeen) || !isMeant(row) ? row : isRead ? asRead(row) : asSeen(row),
  )
}
const count = (rows, mark) => rows.reduce((sum, row) => sum + !row[mark], 0)

/**
 * The tab's part of the inbox: rows, counts, the place `(epoch, seq)`, and commands that are under way.
 *
 * A pure machine. It knows that it is in step because each change takes the next `seq`: a hole, a `gap`, a foreign
 * epoch or a heartbeat that names more than came leads to the effect `refresh`. Frames that come until the fresh list is
 * there are held, and applied on top of it. Effects:
 *
 * - `emit`: a list of `[event, detail]`
 * - `refresh`: fetch the newest rows, and call `fresh`
 * - `restart`: begin a new connection
 */
export const createInbox = () => {
  // No inbox has this epoch, so a client without a list is answered by `reset`, with the first page.
  let epoch = 'none'
  let seq = 0
  /** The newest `seq` that the server has named. */
  let head = 0
  let unread = 0
  let unseen = 0
  let rows = []
  let more = false
  /** Frames that wait for a list to be applied to; null while there is one in step. */
  let held = []
  /** The page that is being fetched, with the changes since it was asked for. */
  let paging
  let pending = []
  let shown = rows
  let emit = []
  let refresh

  const effects = () => {
    const given = { emit, refresh }
    emit = []
    refresh = undefined
    return given
  }
  const takeCounts = (frame) => {
    unread = frame.unread ?? unread
    unseen = frame.unseen ?? unseen
  }
  const lose = () => {
    if (!held) {
      held = []
      refresh = 1
    }
  }

  /** Begins anew with the newest rows, and tells those that the list before did not have. */
  const begin = (list, state) => {
    const known = new Map(rows.map((row) => [row.id, row.rev]))
    emit.push(['reset'])
    for (const row of [...list].reverse()) {
      const isNews = state.epoch === epoch && row.seq > seq && !(known.get(row.id) >= row.rev)
      if (isNews) emit.push([known.has(row.id) ? 'update' : 'new', row])
    }
    ;({ epoch, seq, more } = state)
    head = seq
    takeCounts(state)
    rows = list.map(Object.freeze)
    const frames = held || []
    held = paging = null
    frames.forEach(receive)
  }

  /** The next change, in its turn. */
  const apply = (frame) => {
    const { type, notification: row } = frame
    seq = frame.seq
    if (paging) paging.changes.push(frame)
    const before = rows
    if (!row) {
      rows = edit(rows, frame)
      const left = new Set(rows)
      const gone = before.filter((row) => !left.has(row)).map((row) => row.id)
      if (type === 'removed' && gone[0]) emit.push(['gone', gone])
      return
    }
    Object.freeze(row)
    const old = rows.find((other) => other.id === row.id)
    // A replay may tell a notification, as it is now, more than once. Only the first time is news.
    if (!(old?.rev >= row.rev)) emit.push([old ? 'update' : type, row])
    if (old && row.place !== seq) rows = edit(rows, frame)
    else if (type === 'new' || row.place === seq) rows = [row, ...rows.filter((other) => other !== old)]
  }

  const receive = (frame) => {
    const { type } = frame
    if (type === 'ready') {
      // On another way the session may begin before what has come already.
      if (!(frame.epoch === epoch && frame.seq < seq)) takeCounts(frame)
      head = frame.seq
      held = frame.recovered && frame.epoch === epoch ? null : []
      // Otherwise `reset` follows: this replay is for another place.
      if (held && frame.recovered) refresh = 1
    } else if (type === 'reset') {
      begin(frame.notifications, { more: !!frame.notifications[resetLength - 1], ...frame })
    } else if (type === 'prefs') {
      emit.push([type, frame])
    } else if (!frame.feed && frame.unread >= 0) {
      const { seq: at = frame.to } = frame
      const isNext = at === seq + 1 && type !== 'beat' && type !== 'gap'
      const isDrift = type === 'beat' && at === seq && frame.unread !== unread
      head = Math.max(head, at)
      if (isDrift || (at > seq && !isNext)) lose()
      if (held) type !== 'beat' && held.push(frame)
      else if (isNext) apply(frame)
      if (at >= seq) takeCounts(frame)
    }
  }

  return {
    get position() {
      return { epoch, seq }
    },
    /** How many changes of a replay are still to come; none in step, and NaN without a list. */
    get lag() {
      return held ? NaN : Math.max(0, head - seq)
    },
    /** The list for another tab to begin with, in the form of the server's `reset`. */
    get list() {
      return { epoch, seq, unread, unseen, notifications: rows.slice(0, pageLength), more: more || !!rows[pageLength] }
    },
    receive(frame) {
      receive(frame)
      return effects()
    },
    /** The first page, as REST gives it. */
    fresh({ data, meta }) {
      if (!held) return
      // The connection still belongs to another epoch, so its frames are not for this list.
      if (meta.epoch !== epoch) return { restart: 1 }
      begin(data, { ...meta, more: meta.next !== null })
      return effects()
    },

    /** The request to REST for older rows, if there are any. */
    more() {
      if (more) return (paging = { before: rows.at(-1)?.id, changes: [] })
    },
    /** The rows behind `before`; false if they have to be asked for once more. */
    page(request, answer) {
      if (paging !== request) return true
      paging = null
      const { data, meta } = answer
      if (meta.epoch !== epoch) return true
      // The row before the page may be gone or have come up, so the page may not be the next one.
      if (meta.seq > seq || request.before !== rows.at(-1)?.id) return false
      const known = new Set(rows.map((row) => row.id))
      const page = data.filter((row) => !known.has(row.id)).map(Object.freeze)
      const missed = request.changes.filter((change) => change.seq > meta.seq)
      rows = [...rows, ...missed.reduce(edit, page)]
      more = meta.next !== null
      return true
    },

    /** Commands whose answer has not come; their effect is shown already. */
    get pending() {
      return pending
    },
    command(frame) {
      pending = [...pending, frame]
    },
    settle(id) {
      pending = pending.filter((frame) => frame.id !== id)
    },

    /** The inbox's part of a snapshot; rows and the list keep their identity where nothing changed. */
    get view() {
      const items = pending.reduce(edit, rows)
      if (items !== shown && (items.length !== shown.length || items.some((row, index) => row !== shown[index]))) {
        shown = Object.freeze(items)
      }
      // A command about all rows means those that are not loaded, too: only visible rows are left.
      const left = (total, mark, types) =>
        more && pending.some(({ type, upTo }) => upTo >= 0 && types.includes(type))
          ? count(items, mark)
          : items === rows
            ? total
            : total + count(items, mark) - count(rows, mark)
      return { unread: left(unread, 'isRead', 'read'), unseen: left(unseen, 'isSeen', 'read seen'), items: shown, more }
    },
  }
}
