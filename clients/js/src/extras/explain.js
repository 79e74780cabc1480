import { make } from '../../elements.js'

/** The sentences of an explanation: each `text` in it, in its order. */
export const sentencesOf = (value) => {
  if (!value || typeof value !== 'object') return []
  return typeof value.text === 'string' ? [value.text] : Object.values(value).flatMap(sentencesOf)
}

/** Shows in `place` why a person got a notification, or closes what is shown there. */
export const explain = async (host, { id }, place) => {
  if (place.firstChild) return place.replaceChildren()
  const panel = make('ul', { part: 'explanation', 'aria-live': 'polite' })
  const say = (sentences) => panel.replaceChildren(...sentences.map((sentence) => make('li', {}, sentence)))
  say([host.say('loading')])
  place.append(panel)
  const answer = await host.inbox.explain(id).catch(() => {})
  const sentences = sentencesOf(answer?.data ?? answer)
  say(sentences[0] ? sentences : [host.say('unexplained')])
}
