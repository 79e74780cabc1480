/** The name of a notification's actor. */
export const nameOf = (actor) => actor?.name || actor?.firstName || actor?.username || ''

/** Up to two letters for a person without a picture. */
export const initialsOf = (name) => {
  const [first, ...others] = name.trim().split(/\s+/)
  const letters = [first, others.at(-1)].map((word) => word?.match(/[\p{L}\p{N}]/u)?.[0])
  return letters.join('').toUpperCase()
}

/** A hue, always the same one for a name. */
export const hueOf = (name) => [...`${name}`].reduce((sum, sign) => (sum * 157 + sign.codePointAt()) % 360, 7)

/** The text in two pieces, the first of them the actor's name if it begins with that. */
export const piecesOf = ({ displayText, actor }) => {
  const text = `${displayText ?? ''}`
  const name = [actor?.name, actor?.firstName, actor?.username].find((name) => name && text.startsWith(name)) || ''
  return [name, text.slice(name.length)]
}

/** Buttons that a notification's fields ask for: `{label, action, url?}`. */
export const buttonsOf = ({ cta, actions, buttons, isFollowingBack }, labels) => {
  const named = [cta, actions, buttons].flat().filter((one) => typeof one?.label === 'string')
  if (typeof isFollowingBack !== 'boolean') return named
  return [{ label: isFollowingBack ? labels.following : labels.followBack, action: 'follow', isOn: isFollowingBack }, ...named]
}

/** Buttons of a question that can still be answered: `{label, answer}`. */
export const answersOf = ({ question }, now) =>
  question && !question.answer && !(Date.parse(question.answerBy) <= now)
    ? question.actions.map(({ id, label }) => ({ label, answer: id }))
    : []

/** The words of a question's answer. */
export const answerOf = ({ question }) => question?.answer && question.actions.find(({ id }) => id === question.answer.action)?.label

/** Pictures of a notification's content: those to show, and how many more there are. */
export const picturesOf = (item, most = 5) => {
  const samples = item.thumbnails ?? item.samples
  const pictures = (Array.isArray(samples) ? samples : []).map((one) => (one?.url ? one : { url: one })).slice(0, most)
  return { pictures, rest: pictures.length && Math.max(0, (item.batchCount ?? 0) - pictures.length) }
}
