/** Sections of a list by date, the newest first; what is older than all others is `earlier`. */
export const sections = ['today', 'yesterday', 'week', 'earlier']

const minute = 60_000

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

/** The place in `sections` of a moment; what lies ahead, by a clock that is wrong, is today. */
export const sectionOf = (time, starts) => {
  const index = starts.findIndex((start) => time >= start)
  return index < 0 ? sections.length - 1 : index
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
  if (minutes < 24 * 60) {
    const relative = formatOf('RelativeTimeFormat', locale, { style: 'narrow' })
    return minutes < 60 ? relative.format(-minutes, 'minute') : relative.format(-Math.floor(minutes / 60), 'hour')
  }
  const isNear = minutes < 6 * 24 * 60
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear()
  return formatOf('DateTimeFormat', locale, isNear
    ? { weekday: 'short' }
    : { day: 'numeric', month: 'short', year: isThisYear ? undefined : 'numeric' }).format(time)
}

/** The whole moment, for those who want to know. */
export const momentOf = (time, locale) =>
  isNaN(time) ? '' : formatOf('DateTimeFormat', locale, { dateStyle: 'full', timeStyle: 'short' }).format(time)
