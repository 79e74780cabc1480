import { codeOf, problemOf } from './http.js'
import { createParser } from './parser.js'

/** Brings frames on a streamed answer: a `listen` of `openHttp`. */
export const listenToEvents = async ({ signal, call, end, hear }, query) => {
  const answer = await call('/events?' + query)
  if (!answer.ok) return end(codeOf(answer, await problemOf(answer)))
  const parse = createParser()
  const decoder = new TextDecoder()
  const reader = answer.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return end()
    for (const { event, data } of parse(decoder.decode(value, { stream: true }))) {
      if (signal.aborted) return
      if (event === 'close') return end(JSON.parse(data).code)
      if (!event) hear(data)
    }
  }
}
