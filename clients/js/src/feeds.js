/**
 * One subscription to a feed: entries in the order of their offsets, each once.
 *
 * A pure machine. `frame` is what subscribes from where it has come; its `id` is the feed's name, as all subscriptions to
 * one feed are answered, and refused, together. Effects:
 *
 * - `entries`: a list of `{epoch, offset, item, …}`, or `{epoch, reset: true}`: forget what you have, the newest
 *   follow
 * - `again`: subscribe once more
 * - `refused`: the server's error; unless it leaves, and is asked again on the next connection
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
        // What follows begins behind the place that another tab has asked for.
        if (recovered) return again()
        place = { epoch, offset: 0 }
        return { entries: [{ epoch, reset: true }] }
      }
      if (!isOpen) return
      if (type === 'gap') {
        // Too much was missed, or came too fast: the newest are enough.
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
 * What the leading tab knows of feeds: the server takes one subscription to a feed a session, and tabs may have
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
        // Whoever else follows it subscribes again.
        return { send: frame, relay: { type: 'unsubscribed', feed } }
      }
      // All who wait hear the same answer, and whoever needs more than that subscribes again.
      if (feeds.get(feed)) return
      const cancel = feeds.has(feed) ? feed : undefined
      feeds.set(feed, frame)
      return { cancel, send: frame }
    },
    /** What all tabs are to hear in place of the server's frame: where the items that follow begin, too. */
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
