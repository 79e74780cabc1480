import { sectionOf, sections, startsOf } from './dates.js'

const times = new WeakMap()

/** When a notification was created, parsed once. */
export const timeOf = (item) => {
  let time = times.get(item)
  if (time === undefined) times.set(item, (time = Date.parse(item.createdAt)))
  return time
}

/**
 * The lines of a list: `{item, section}`, and where a section has several notifications of one group, its newest one
 * leads: `{key, count, isOpen}`; the `count` others follow as lines with `isPart` if their key is in `open`.
 *
 * Sections keep the order of the list, since what was published late stands on top of it with an older date. One that
 * came up again when it grew is at least as new as what is below it.
 */
export const linesOf = (items, { now, firstDay, open, isGrouped }) => {
  const starts = startsOf(now, firstDay)
  const parts = sections.map(() => [])
  let newest = -Infinity
  for (let index = items.length; index--; ) {
    const item = items[index]
    const time = item.place ? Math.max(timeOf(item), newest) : timeOf(item)
    if (time > newest) newest = time
    parts[sectionOf(time, starts)].push(item)
  }
  const lines = []
  parts.forEach((part, section) => {
    const leads = new Map()
    const list = []
    for (let index = part.length; index--; ) {
      const item = part[index]
      const lead = isGrouped && leads.get(item.group)
      if (lead) {
        lead.others.push(item)
        continue
      }
      const line = { item, section, others: [] }
      if (item.group) leads.set(item.group, line)
      list.push(line)
    }
    for (const { item, others } of list) {
      const key = others.length ? `${section} ${item.group}` : undefined
      const isOpen = open.has(key)
      lines.push({ item, section, key, count: others.length, isOpen })
      if (isOpen) for (const other of others) lines.push({ item: other, section, isPart: true })
    }
  })
  return lines
}
