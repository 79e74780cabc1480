/** Acknowledgements of so long become one. */
const folding = 200

/**
 * Tells the server what is on screen, so that no push goes out for it. Only a tab that somebody looks at acknowledges.
 *
 * A pure machine; effects: `fold`, call `expire` after so many milliseconds; `post` to the leading tab.
 */
export const createAcks = () => {
  let shown = 0
  let told = 0
  let isFolding

  return {
    /** Everything up to `seq` is on screen, if somebody looks. */
    show(seq, isLooking) {
      shown = seq
      if (!isLooking || isFolding || shown <= told) return
      isFolding = true
      return { fold: folding }
    },
    expire(isLooking) {
      isFolding = false
      if (!isLooking || shown <= told) return
      told = shown
      return { post: { tell: { type: 'ack', seq: shown } } }
    },
    /** On another connection: what was told last may not have been heard, and another epoch counts anew. */
    again() {
      told = 0
    },
  }
}
