import { make, write } from './dom.js'

/** The line that tells why the list may be behind: the client waits or has stopped, or a command failed. */
export const createStatus = (host) => {
  const words = make('span')
  const retry = make('button', { part: 'retry', class: 'link', click: () => host.inbox.retry() })
  const node = make('div', { part: 'status' }, words, retry)
  let timer
  let failedUntil = 0
  let hasWarned

  const show = () => {
    clearTimeout(timer)
    const { status, reason, retryAt } = host.inbox?.snapshot ?? {}
    const now = Date.now()
    const isWaiting = status === 'waiting'
    const hasFailed = failedUntil > now
    const text = isWaiting
      ? host.say(reason ? 'waitingToken' : 'waiting', Math.max(1, Math.ceil((retryAt - now) / 1000)))
      : status === 'stopped' && reason !== 'closed'
        ? host.say(reason in host.labels ? reason : 'stopped')
        : hasFailed && host.say('failed')
    // Only a developer can mend this. Browsers hide that the server has answered 403.
    if (isWaiting) hasWarned ||= !console.warn(reason ? 'belfry: no token' : `belfry: is the server up, with ${location.origin} in admission.origins?`)
    write(words, text || '')
    write(retry, host.say('retry'))
    retry.hidden = !isWaiting
    node.hidden = !text
    if (host.isConnected && (isWaiting || hasFailed)) timer = setTimeout(show, 1000)
  }
  return {
    node,
    show,
    fail() {
      failedUntil = Date.now() + 5000
      show()
    },
  }
}
