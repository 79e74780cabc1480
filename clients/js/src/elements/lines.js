import { sectionOf, sections, startsOf, timeOf } from './dates.js'

/**
 * The lines of a list: `{item, section}`, and where a section has several notifications of one group, its newest one
 * leads: `{key, count, isOpen}`; the `count` others follow as lines with `isPart` if their key is in `open`. A lead of the
 * last section has `isPartial` if there may be more of its group.
 *
 * Sections keep the order of the list, since what was published late stands on top of it with an older date. One that
 * came up again when it grew is at least as new as what is below it.
 */
export const linesOf = (items, { now, firstDay, open, isGrouped, hasMore }) => {
  const starts = startsOf(now, firstDay)
  const parts = sections.map(() => [])
  let newest = -Infinity
  for (let index = items.length; index--; ) {
    const item = items[index]
    const time = item.place ? Math.max(timeOf(item), newest) : timeOf(item)
    if (time > newest) newest = time
    const section = sectionOf(time, starts)
    parts[section].push({ item, section })
  }
  const lines = parts.flatMap((part) => part.reverse())
  if (!isGrouped) return lines
  const leads = new Map()
  return lines
    .filter((line) => {
      const { item, section } = line
      if (!item.group) return true
      const key = `${section} ${item.group}`
      const lead = leads.get(key)
      if (lead) lead.others.push({ item, section, isPart: true })
      else leads.set(key, Object.assign(line, { key, others: [] }))
      return !lead
    })
    .flatMap((line) => {
      const { key, others } = line
      line.count = others?.length
      line.isOpen = line.count > 0 && open.has(key)
      line.isPartial = hasMore && line.section === lines.at(-1).section
      return line.isOpen ? [line, ...others] : line
    })
}
