/** What a notification calls the one who did it. */
export const nameOf = (actor) => actor?.name || actor?.firstName || actor?.username || ''

/** Up to two letters that stand for somebody without a picture. */
export const initialsOf = (name) => {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...word].find((sign) => /[\p{L}\p{N}]/u.test(sign)))
  return letters.join('').toUpperCase()
}

/** A hue, always the same one for a name. */
export const hueOf = (name) => [...`${name}`].reduce((sum, sign) => (sum * 157 + sign.codePointAt()) % 360, 7)

/** The text in two pieces, the first of them the actor's name if it begins with that. */
export const piecesOf = ({ displayText, actor }) => {
  const text = `${displayText ?? ''}`
  const names = [actor?.name, actor?.firstName, actor?.username].filter((name) => typeof name === 'string' && name)
  const name = names.find((name) => text.startsWith(name)) || ''
  return [name, text.slice(name.length)]
}

/** Buttons that a notification's fields ask for: `{label, action, url?}`. */
export const buttonsOf = (item, labels) => {
  const named = [item.cta, item.actions, item.buttons].flat().filter((one) => one && typeof one.label === 'string')
  const { isFollowingBack } = item
  if (typeof isFollowingBack !== 'boolean') return named
  return [{ label: isFollowingBack ? labels.following : labels.followBack, action: 'follow', isOn: isFollowingBack }, ...named]
}

/** Pictures of what a notification is about: those to show, and how many more there are. */
export const picturesOf = (item, most = 5) => {
  const samples = item.thumbnails ?? item.samples
  const pictures = (Array.isArray(samples) ? samples : []).map((one) => (one?.url ? one : { url: one })).slice(0, most)
  return { pictures, rest: pictures.length && Math.max(0, (item.batchCount ?? 0) - pictures.length) }
}

/** The sentences of an explanation: each `text` in it, in its order. */
export const sentencesOf = (value) => {
  if (!value || typeof value !== 'object') return []
  return typeof value.text === 'string' ? [value.text] : Object.values(value).flatMap(sentencesOf)
}
