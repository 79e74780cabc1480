// The lines of plots, without a page.

/** Of a plot, in units of its drawing. */
export const [width, height] = [600, 120]

/** A round number that is not below this one: 1, 2 or 5 times a power of ten. */
export const ceiling = (value) => {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * 0.999)
}

/** Joins neighbours until there are at most `most`: the largest of each group. */
export const thinned = (values, most = 300) => {
  const size = Math.max(1, Math.ceil(values.length / most))
  const groups = []
  for (let end = values.length; end > 0; end -= size) {
    const known = values.slice(Math.max(0, end - size), end).filter((value) => value !== null)
    groups.unshift(known.length ? Math.max(...known) : null)
  }
  return { values: groups, size }
}

/** The `d` of a line with gaps where nothing is known; a lonely value is a short stroke. */
export const path = (values, size, seconds, top) => {
  let d = ''
  let isDown = false
  values.forEach((value, place) => {
    if (value === null) return void (isDown = false)
    const x = width - ((values.length - 1 - place) * size * width) / seconds
    const y = height - 2 - (Math.min(value, top) / top) * (height - 6)
    d += `${isDown ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}${!isDown && values[place + 1] == null ? 'h1.5' : ''}`
    isDown = true
  })
  return d
}
