const dayOf = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate())

/** Whole days between two moments by the viewer's calendar; the night on which clocks change counts as any other. */
const daysBetween = (earlier, later) => Math.round((dayOf(later) - dayOf(earlier)) / 86_400_000)

/**
 * The date group of a moment in the viewer's zone: `today`, `yesterday`, `week` or `earlier`.
 *
 * @param now the viewer's clock. A moment after it counts as today: the server's clock may be ahead.
 */
export const dateGroup = (moment, now) => {
  const days = daysBetween(moment, now)
  return days < 1 ? 'today' : days < 2 ? 'yesterday' : days < 7 ? 'week' : 'earlier'
}

/** Milliseconds until the viewer's next day begins. */
export const untilTomorrow = (now) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1) - now

const clock = { hour: 'numeric', minute: '2-digit' }
const formats = {
  today: clock,
  yesterday: clock,
  week: { weekday: 'short', ...clock },
  earlier: { day: 'numeric', month: 'short', year: 'numeric' },
  whole: { dateStyle: 'full', timeStyle: 'short' },
}

/** What formats a moment, by its date group or as a `whole`; each format is made once. */
export const createClock = (language) => {
  const made = {}
  return (moment, group) => (made[group] ||= new Intl.DateTimeFormat(language, formats[group])).format(moment)
}
