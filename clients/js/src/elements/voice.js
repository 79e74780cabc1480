/** How long arrivals are gathered before they are said. */
const folding = 500

let region
const say = (text) => {
  if (!region) {
    region = document.createElement('div')
    region.setAttribute('role', 'status')
    // Outside of any shadow tree; read out, and not seen.
    Object.assign(region.style, { position: 'fixed', inlineSize: '1px', blockSize: '1px', overflow: 'hidden', clipPath: 'inset(50%)' })
  }
  document.body.append(region)
  region.textContent = text
}

const voices = new WeakMap()

/**
 * What elements that show the same inbox have in common: one of them speaks of arrivals and tells of clicks on pushes.
 *
 * @param labels the words of the element
 * @returns what ends it
 */
export const join = (inbox, element) => {
  let voice = voices.get(inbox)
  if (!voice) {
    voices.set(inbox, (voice = { elements: new Set() }))
    let arrived = []
    let timer
    const undo = [
      inbox.on('new', (item) => {
        arrived.push(item)
        timer ||= setTimeout(() => {
          const [first] = voice.elements
          if (first) say(arrived[1] ? first.label('arrived', arrived.length) : arrived[0].displayText)
          arrived = []
          timer = 0
        }, folding)
      }),
      inbox.on('activate', ({ id, data }) => {
        const [first] = voice.elements
        const notification = inbox.snapshot.items.find((item) => item.id === id)
        first?.activate({ id, deepLink: notification?.deepLink ?? data, notification })
      }),
    ]
    voice.end = () => {
      undo.forEach((act) => act())
      clearTimeout(timer)
      voices.delete(inbox)
    }
  }
  voice.elements.add(element)
  return () => {
    voice.elements.delete(element)
    if (!voice.elements.size) voice.end()
  }
}
