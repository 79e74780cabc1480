import { BelfryError, connect, type DisposableInbox, type FeedPlace, type Inbox, type Snapshot } from '../belfry.js'

// Checked by `make client-tests`, never run: each call of the API, and what must not compile.

class Socket {
  constructor(readonly url: string, readonly protocols: string[]) {}
}

const inbox: Inbox = connect({
  url: 'wss://push.example.com',
  token: async ({ reason }) => (reason === 'expired' ? null : 'token'),
  attention: 'auto',
  share: true,
  WebSocket: Socket,
  fallback: false,
})
connect({ token: () => 'token', attention: () => true })
// @ts-expect-error: a token is needed.
connect({ url: 'wss://push.example.com' })

const { status, reason, retryAt, synced, way, unread, unseen, items, more }: Snapshot = inbox.snapshot
const seconds: number = status === 'waiting' ? ((retryAt ?? 0) - Date.now()) / 1000 : 0
const words: string = `${status} ${reason} ${synced} ${way === 'events'} ${unread + unseen + seconds} ${items.length} ${more}`
// @ts-expect-error: snapshots are frozen.
inbox.snapshot.unread = 0
// @ts-expect-error: there is no such reason.
const other: boolean = reason === 'tired'

const undo: () => void = inbox.subscribe((snapshot) => console.log(snapshot.unread, words, other))
undo()
const undos: (() => void)[] = [
  inbox.on('new', ({ id, displayText, deepLink }) => console.log(id, displayText, deepLink?.type, deepLink?.roomId)),
  inbox.on('update', (notification) => console.log(notification.rev, notification.batchCount)),
  inbox.on('gone', (ids) => console.log(ids.length)),
  inbox.on('reset', (snapshot) => console.log(snapshot.items)),
  inbox.on('prefs', ({ rev, mutes, quietHours, snooze }) => console.log(rev, mutes[0]?.subject, quietHours?.zone, snooze?.until)),
  inbox.on('status', (snapshot) => console.log(snapshot.status)),
  inbox.on('activate', ({ id, data }) => console.log(id, data.roomId)),
]
// @ts-expect-error: there is no such event.
inbox.on('old', () => {})

export const calls = async () => {
  await inbox.read(['n1-1'])
  await inbox.read({ upTo: 7 })
  await inbox.read()
  await inbox.seen()
  await inbox.remove(items.map((item) => item.id))
  await inbox.more()
  // @ts-expect-error: ids stand in a list.
  await inbox.remove('n1-1')

  const { types } = await inbox.prefs()
  const changed = await inbox.prefs({ types: { ROOM_LIKE: { push: false } }, categories: { follow: null } })
  console.log(types[0]?.effective.push, changed.categories[0]?.title)
  const { mutes } = await inbox.mute('room:789', '2027-01-01T00:00:00Z')
  await inbox.mute('actor:u7')
  await inbox.unmute('actor:u7')
  await inbox.mutes()
  await inbox.quietHours({ zone: 'Europe/Berlin', windows: [{ days: ['mon', 'sun'], from: '22:00', to: '07:00' }] })
  await inbox.quietHours(null)
  const { snooze } = await inbox.quietHours()
  await inbox.snooze('2027-01-01T00:00:00Z')
  await inbox.snooze({ hours: 8 })
  await inbox.snooze(null)
  await inbox.explain('n1-1')
  console.log(mutes.length, snooze?.until)

  const place: FeedPlace = { epoch: 'e', offset: 7 }
  const end = inbox.feed<{ title: string }>('posts').subscribe(
    (entry) => console.log(entry.reset ? 'anew' : entry.item?.title),
    (error) => console.log(error?.code),
  )
  end()
  for await (const entry of inbox.feed<{ title: string }>('posts', { after: place })) {
    if (entry.reset) continue
    console.log(entry.offset, entry.removes === undefined ? entry.item.title : entry.id)
    break
  }
  inbox.feed('posts', { after: 0 })

  if ((await inbox.push.state()) === 'off') await inbox.push.enable({ worker: '/belfry-sw.js', app: 'rooms' })
  await inbox.push.enable()
  await inbox.push.disable({ app: 'rooms' })

  try {
    await inbox.seen()
  } catch (error) {
    if (error instanceof BelfryError && error.temporary) console.log(error.code, error.message)
  }
  undos.forEach((undo) => undo())
  inbox.retry()
  inbox.close()
  const disposable = inbox as DisposableInbox
  return disposable
}
