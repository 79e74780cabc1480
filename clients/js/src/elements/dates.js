/** Sections of a list by date, the newest first; `earlier` has the rest. */
export const sections = ['today', 'yesterday', 'week', 'earlier']

const minute = 60_000

/** When a notification was created. */
export const timeOf = (item) => Date.parse(item.createdAt)

/**
 * When today, yesterday and this week began, in the zone of this machine.
 *
 * @param firstDay of a week: 1 is Monday, 7 Sunday
 */
export const startsOf = (now, firstDay = 1) => {
  const date = new Date(now)
  const before = (days) => new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime()
  const daysOfWeek = (date.getDay() - firstDay + 7) % 7
  return [before(0), before(1), Math.min(before(1), before(daysOfWeek))]
}

/** The place in `sections` of a moment; a future moment, by a clock that is wrong, is today. */
export const sectionOf = (time, starts) => {
  let section = 0
  while (section < starts.length && !(time >= starts[section])) section++
  return section
}

/** The day on which weeks begin for readers of this language. */
export const firstDayOf = (locale) => {
  try {
    const info = new Intl.Locale(locale)
    return (info.getWeekInfo?.() ?? info.weekInfo).firstDay
  } catch {
    return 1
  }
}

const formats = {}
const formatOf = (kind, locale, options) =>
  (formats[`${kind} ${locale} ${Object.values(options)}`] ??= new Intl[kind](locale || undefined, options))

/** How long ago something was, in few words: minutes, hours, the day of the week, or the date. */
export const ageOf = (time, now, locale, justNow) => {
  const minutes = Math.floor((now - time) / minute)
  if (!(minutes >= 1)) return justNow
  const hours = Math.floor(minutes / 60)
  if (hours < 24) {
    const format = formatOf('RelativeTimeFormat', locale, { style: 'narrow' })
    return hours ? format.format(-hours, 'hour') : format.format(-minutes, 'minute')
  }
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear()
  return formatOf('DateTimeFormat', locale, hours < 6 * 24
    ? { weekday: 'short' }
    : { day: 'numeric', month: 'short', year: isThisYear ? undefined : 'numeric' }).format(time)
}

/** The full date and the time. */
export const momentOf = (time, locale) =>
  isNaN(time) ? '' : formatOf('DateTimeFormat', locale, { dateStyle: 'full', timeStyle: 'short' }).format(time)
