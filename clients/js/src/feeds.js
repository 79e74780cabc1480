/**
 * One subscription to a feed: entries in the order of their offsets, each once.
 *
 * A pure machine. `frame` subscribes from the place reached so far. Its `id` is the feed's name, as all subscriptions to
 * one feed are answered, and refused, together. Effects:
 *
 * - `entries`: a list of `{epoch, offset, item, …}`, or `{epoch, reset: true}`: forget all items, the newest
 *   follow
 * - `again`: subscribe once more
 * - `refused`: the server's error; a server that leaves does not count, the next connection asks again
 */
export const createFeed = (name, after) => {
  let place = after
  let isOpen

  const again = () => {
    isOpen = false
    return { again: 1 }
  }

  return {
    get frame() {
      return { type: 'subscribe', id: name, feed: name, after: place }
    },
    receive({ type, id, feed, ...entry }) {
      const { epoch, offset, recovered, from, code } = entry
      if (id === name && code && code !== 'leaving') return { refused: entry }
      if (type === 'ready' || (feed === name && type === 'unsubscribed')) return again()
      if (feed !== name) return
      if (type === 'feed') {
        isOpen = true
        place ??= { epoch, offset }
        if (place.epoch === epoch && place.offset >= (recovered ? from : offset)) return
        // The next entries begin behind the place that another tab has asked for.
        if (recovered) return again()
        place = { epoch, offset: 0 }
        return { entries: [{ epoch, reset: true }] }
      }
      if (!isOpen) return
      if (type === 'gap') {
        // Too many were missed, or came too fast: the newest are enough.
        place = 0
        return again()
      }
      if (offset <= place.offset) return
      place = { epoch: place.epoch, offset }
      return { entries: [{ ...entry, epoch: place.epoch }] }
    },
  }
}

/**
 * The leading tab's feeds: the server takes one subscription to a feed per session, and tabs may have
 * several. A pure machine; effects: `cancel` the server's subscription, `send` a frame to the server, `relay` one to all
 * tabs, as if the server had said it.
 */
export const createFeedHub = () => {
  /** The subscription that the server has not answered yet; null for one that it has. */
  const feeds = new Map()

  return {
    tell(frame) {
      const { type, feed } = frame
      if (!feed) return { send: frame }
      if (type === 'unsubscribe') {
        feeds.delete(feed)
        // Other followers subscribe again.
        return { send: frame, relay: { type: 'unsubscribed', feed } }
      }
      // All who wait hear the same answer; a tab that needs more subscribes again.
      if (feeds.get(feed)) return
      const cancel = feeds.has(feed) ? feed : undefined
      feeds.set(feed, frame)
      return { cancel, send: frame }
    },
    /** The frame for all tabs in place of the server's; it also says where the next items begin. */
    receive(frame) {
      const { type, feed, offset } = frame
      if (type === 'ready') feeds.clear()
      if (type === 'unsubscribed') feeds.delete(feed)
      if (type === 'error') feeds.delete(frame.id)
      const asked = type === 'feed' && feeds.get(feed)
      if (!asked) return frame
      feeds.set(feed, null)
      const { after } = asked
      return { ...frame, ...(after == null ? { recovered: true, from: offset } : { from: after.offset }) }
    },
  }
}
