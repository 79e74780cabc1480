/** Days as quiet hours name them, in the order of the reader's week. */
export const daysFrom = (first) => {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
  return [...days.slice(first - 1), ...days.slice(0, first - 1)]
}
/** A Monday was the first day of 2024. */
export const dayName = (day, locale) =>
  new Intl.DateTimeFormat(locale || undefined, { weekday: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + daysFrom(1).indexOf(day)))

/** What somebody gets who switches quiet hours on. */
export const usualHours = () => ({
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  windows: [{ days: daysFrom(1), from: '22:00', to: '07:00' }],
})

/** Eight o'clock tomorrow, by the clock of this machine. */
export const tomorrow = (now) => {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, 8).toISOString()
}
