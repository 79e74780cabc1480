/**
 * Reads an event stream, as the HTML Standard says in 9.2.6, but for `id` and `retry`: the client itself knows its place,
 * and when to come back.
 *
 * @returns a function that takes the next piece of text, cut anywhere, and gives the events that it completes, each with
 *   `event`, empty for most, and `data`
 */
export const createParser = () => {
  let rest = ''
  let event = ''
  let data = []

  return (text) => {
    const events = []
    // A CR at the end may be the first half of a line's end.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop()
    for (const line of lines) {
      const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line)
      if (name === 'data') data.push(value)
      if (name === 'event') event = value
      if (line) continue
      if (data[0] !== undefined) events.push({ event, data: data.join('\n') })
      event = ''
      data = []
    }
    return events
  }
}
