/** So far a finger moves before it is a swipe, and so much of the row before it counts. */
const start = 12
const enough = 0.35

/** Lets a finger push `row` aside; `done` is called once it is far enough. */
export const letSwipe = (row, done) => {
  let from, pointer, offset
  const move = (to) => {
    offset = to
    row.style.transform = to ? `translateX(${to}px)` : ''
    row.style.opacity = to ? 1 - Math.min(0.8, Math.abs(to) / row.offsetWidth) : ''
  }
  const end = (event) => {
    if (event.pointerId !== pointer) return
    pointer = undefined
    const isEnough = event.type === 'pointerup' && Math.abs(offset) > enough * row.offsetWidth
    move(0)
    if (isEnough) done()
  }
  row.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse' || pointer !== undefined) return
    pointer = event.pointerId
    from = [event.clientX, event.clientY]
    offset = 0
  })
  row.addEventListener('pointermove', (event) => {
    if (event.pointerId !== pointer) return
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]]
    if (!offset && (Math.abs(x) < start || Math.abs(x) < 2 * Math.abs(y))) return
    if (!offset) row.setPointerCapture(pointer)
    move(x || 1)
  })
  row.addEventListener('pointerup', end)
  row.addEventListener('pointercancel', end)
}
