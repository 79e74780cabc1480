/**
 * Where the lines of a list stand, in pixels from its top: the top of each, and the end of the last.
 *
 * @param heightOf the height of a notification's row, by its id
 * @param titleOf the height of a section's title
 */
export const topsOf = (lines, heightOf, titleOf) => {
  const tops = []
  let top = 0
  let section
  for (const line of lines) {
    if (section !== line.section) top += titleOf((section = line.section))
    tops.push(top)
    top += heightOf(line.item.id)
  }
  return [...tops, top]
}

/** How many of the tops are above a place. */
export const countAbove = (tops, place) => {
  let [low, high] = [0, tops.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (tops[middle] < place) low = middle + 1
    else high = middle
  }
  return low
}
