import { make, write } from './dom.js'

/** The line that tells why the list may be behind: while the client waits, after it has stopped, or when something failed. */
export const createStatus = (host) => {
  const words = make('span')
  const retry = make('button', { part: 'retry', class: 'link', type: 'button', click: () => host.inbox.retry() })
  const node = make('div', { part: 'status', class: 'status', hidden: true }, words, retry)
  let timer, failedUntil = 0

  const show = (snapshot, now = Date.now()) => {
    clearTimeout(timer)
    const { status, reason, retryAt } = snapshot ?? {}
    const isWaiting = status === 'waiting'
    const seconds = Math.max(1, Math.ceil((retryAt - now) / 1000))
    const text = isWaiting
      ? host.say('waiting', seconds)
      : status === 'stopped' && reason !== 'closed'
        ? host.say(reason in host.labels ? reason : 'stopped')
        : failedUntil > now
          ? host.say('failed')
          : ''
    write(words, text)
    write(retry, host.say('retry'))
    retry.hidden = !isWaiting
    node.hidden = !text
    if (isWaiting || failedUntil > now) timer = setTimeout(() => host.isConnected && show(host.inbox?.snapshot), 1000)
  }
  return {
    node,
    show,
    fail() {
      failedUntil = Date.now() + 5000
      show(host.inbox?.snapshot)
    },
  }
}
