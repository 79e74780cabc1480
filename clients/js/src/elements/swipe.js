/** So much of the row's width is a decision. */
const decisive = 0.35
/** A finger that moves less may as well have tapped. */
const tolerance = 10

/** Lets a finger push a row of `list` aside, which removes it. */
export const watchSwipes = (list, remove) => {
  let row, start, width, isSwipe

  list.addEventListener('pointerdown', (event) => {
    isSwipe = false
    row = event.pointerType !== 'mouse' && !event.target.closest('button, a') && event.target.closest('article')
    start = event
    width = row && row.offsetWidth
  })
  list.addEventListener('pointermove', (event) => {
    const distance = event.clientX - start?.clientX
    if (!row || event.pointerId !== start.pointerId || (!isSwipe && Math.abs(distance) < tolerance)) return
    if (!isSwipe) row.setPointerCapture(event.pointerId)
    isSwipe = true
    row.style.translate = distance + 'px'
    row.style.opacity = 1 - Math.abs(distance) / width
  })
  const end = (event) => {
    if (!row || event.pointerId !== start.pointerId) return
    row.style.translate = row.style.opacity = ''
    if (isSwipe && event.type === 'pointerup' && Math.abs(event.clientX - start.clientX) > width * decisive) remove(row.row)
    row = null
  }
  list.addEventListener('pointerup', end)
  list.addEventListener('pointercancel', end)
  // The click that ends a swipe opens nothing.
  list.addEventListener('click', (event) => isSwipe && event.stopPropagation(), true)
}
