/** Pure rules of a person's choices: for a type, and for a category with all of its types. */
export const channels = ['inApp', 'push']

/** Categories with their types, in the order of the catalogs; types without one come last, under no name. */
export const groupsOf = ({ categories, types }) => {
  const groups = categories.map((category) => ({ ...category, types: [] }))
  const others = { types: [] }
  for (const type of types) {
    const group = groups.find(({ name }) => name === type.category)
    ;(group ?? others).types.push(type)
  }
  return [...groups, others].filter(({ types }) => types.length)
}

/** The title of a type or a category; without one, the words of its name. */
export const titleOf = ({ name, title }) => {
  if (title !== name) return title
  const words = name.replace(/_+/g, ' ').replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase().trim()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Whether a type can be had, and be chosen, on a channel. */
export const isOffered = (type, channel) => channel === 'push' || !type.pushOnly
export const isFree = (type, channel) => !type.required && isOffered(type, channel)

/** The state of a category on a channel: true, false, or undefined where its types differ. */
export const stateOf = ({ types }, channel) => {
  const states = new Set(types.filter((type) => isOffered(type, channel)).map(({ effective }) => effective[channel]))
  return states.size > 1 ? undefined : states.has(true)
}

/** A choice for both channels, since a channel that is left out has a meaning of its own. */
const choiceOf = (type, channel, isOn) => {
  const { inApp, push } = { ...type.effective, [channel]: isOn }
  return type.pushOnly ? { push } : { inApp, push }
}

/** The change that sets one type. */
export const typePatch = (type, channel, isOn) => ({ types: { [type.name]: choiceOf(type, channel, isOn) } })

/** The change that sets a category: types that had choices of their own keep those of the other channel. */
export const categoryPatch = (group, channel, isOn) => {
  const free = group.types.filter((type) => isFree(type, channel))
  const own = free.filter(({ choice }) => !group.name || Object.keys(choice).length || group.types.some((type) => type.required))
  const types = Object.fromEntries(own.map((type) => [type.name, choiceOf(type, channel, isOn)]))
  if (!group.name || group.types.some(({ required }) => required)) return { types }
  const other = channels.find((one) => one !== channel)
  const choice = { [channel]: isOn, [other]: stateOf(group, other) ?? group.choice[other] ?? true }
  return { categories: { [group.name]: choice }, types }
}

/** The change that gives up all choices. */
export const resetPatch = ({ categories, types }) => {
  const chosen = (list) => Object.fromEntries(list.filter(({ choice }) => Object.keys(choice).length).map(({ name }) => [name, null]))
  return { categories: chosen(categories), types: chosen(types) }
}
