/** How far a finger moves, in pixels, before it swipes, and the part of the row at which the swipe counts. */
const start = 12
const enough = 0.35

/** Lets the finger that has just come down on `row` push it aside; `done` is called if that was far enough. */
export const swipe = ({ pointerId, clientX, clientY }, row, done) => {
  const life = new AbortController()
  let offset = 0
  const move = (to) => {
    offset = to
    row.style.transform = to ? `translateX(${to}px)` : ''
    row.style.opacity = to ? 1 - Math.min(0.8, Math.abs(to) / row.offsetWidth) : ''
  }
  const on = (type, act) =>
    row.addEventListener(type, (event) => event.pointerId === pointerId && act(event), { signal: life.signal })
  on('pointermove', (event) => {
    const [x, y] = [event.clientX - clientX, event.clientY - clientY]
    if (!offset && (Math.abs(x) < start || Math.abs(x) < 2 * Math.abs(y))) return
    if (!offset) row.setPointerCapture(pointerId)
    move(x || 1)
  })
  const end = ({ type }) => {
    life.abort()
    const isEnough = type === 'pointerup' && Math.abs(offset) > enough * row.offsetWidth
    move(0)
    if (isEnough) done()
  }
  on('pointerup', end)
  on('pointercancel', end)
}
