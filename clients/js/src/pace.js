/** So many frames may go at once. */
const burst = 20

/** Between two frames beyond a burst, by the limits of `ready`: two thirds of what the server allows. */
export const intervalOf = ({ frames, framesWindow }) => (1.5 * framesWindow) / frames

/**
 * The moment at which the next frame may go, so that the server does not close for too many.
 *
 * @param due when it might go without bursts: an interval after the moment of the one before. A clock that was set back
 *   must not put it off for longer than that.
 */
export const slotOf = (due, interval, now) => Math.min(Math.max(due, now - burst * interval), now + interval)
