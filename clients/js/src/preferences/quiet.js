/** Days as quiet hours name them, in the order of the reader's week. */
export const daysFrom = (first) => {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  return [...days.slice(first - 1), ...days.slice(0, first - 1)]
}
/** The short name of a day. The first day of 2024 was a Monday. */
export const dayName = (day, locale) =>
  new Intl.DateTimeFormat(locale || undefined, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + daysFrom(1).indexOf(day)))

/** The quiet hours when somebody switches them on. */
export const usualHours = () => ({
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  windows: [{ days: daysFrom(1), from: '22:00', to: '07:00' }],
})

const weekend = ['sat', 'sun']
/**
 * Windows with one more of them, for other times on some days: those without quiet hours, else those of the weekend, else
 * the last one; undefined if each day has its own.
 */
export const withMore = (windows) => {
  const free = daysFrom(1).filter((day) => !windows.some(({ days }) => days.includes(day)))
  if (free[0]) return [...windows, { ...usualHours().windows[0], days: free }]
  const divided = windows.find(({ days }) => days[1])
  if (!divided) return
  const { days } = divided
  const late = days.filter((day) => weekend.includes(day))
  const moved = late.length && late.length < days.length ? late : days.slice(-1)
  const kept = { ...divided, days: days.filter((day) => !moved.includes(day)) }
  return [...windows.map((one) => (one === divided ? kept : one)), { ...divided, days: moved, to: '09:00' }]
}

/** Eight o'clock tomorrow, by the clock of this machine. */
export const tomorrow = (now) => {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 8).toISOString()
}
