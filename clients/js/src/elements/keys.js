/** Moves through the rows of a feed by the keyboard. */
export const letKeys = (host, feed, list) => {
  const focus = (row) => {
    row?.article.focus()
    row?.article.scrollIntoView({ block: 'nearest' })
    return row
  }
  const last = () => {
    host.showAll()
    // Rows are made over some frames.
    const follow = () => (list.isWhole() ? focus(list.at(-1)) : host.isConnected && requestAnimationFrame(follow))
    follow()
  }
  const moves = {
    ArrowDown: (index) => focus(list.at(index + 1)),
    ArrowUp: (index) => index > 0 && focus(list.at(index - 1)),
    PageDown: (index) => focus(list.at(index + 5) ?? list.at(-1)),
    PageUp: (index) => focus(list.at(Math.max(0, index - 5))),
    Home: () => focus(list.at(0)),
    End: last,
  }
  feed.addEventListener('keydown', (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event
    const row = list.rows.get(target.closest('article')?.dataset.id)
    if (!row || altKey || ctrlKey || metaKey || target.matches('input, select, textarea')) return
    const isOnRow = target === row.article
    if (moves[key]) moves[key](list.indexOf(row))
    else if (key === 'Delete' || (key === 'Backspace' && isOnRow)) host.removeRow(row)
    else if (key === 'Enter' && isOnRow) host.activate(row.item)
    else if (key !== 'Escape' || !row.closeReason()) return
    else row.article.focus()
    event.preventDefault()
    if (key === 'Escape') event.stopPropagation()
  })
}
