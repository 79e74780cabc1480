/** Moves through the rows of a feed by the keyboard. */
export const letKeys = (host, feed, list) => {
  const moves = {
    ArrowDown: (index) => index + 1,
    ArrowUp: (index) => index - 1,
    PageDown: (index) => index + 5,
    PageUp: (index) => index - 5,
    Home: () => 0,
    End: () => Infinity,
  }
  feed.addEventListener('keydown', (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event
    const row = list.rows.get(target.closest('article')?.dataset.id)
    if (!row || altKey || ctrlKey || metaKey || target.matches('input, select, textarea')) return
    const isOnRow = target === row.article
    if (moves[key]) list.focus(moves[key](list.indexOf(row.item.id)))
    else if (key === 'Delete' || (key === 'Backspace' && isOnRow)) host.removeRow(row)
    else if (key === 'Enter' && isOnRow) host.activate(row.item)
    else if (key !== 'Escape' || !row.closeReason()) return
    else row.article.focus()
    event.preventDefault()
    if (key === 'Escape') event.stopPropagation()
  })
}
