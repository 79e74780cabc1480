import assert from 'node:assert/strict'
import test from 'node:test'
import { createWorld } from './support/world.js'

const pick = (random, list) => list[Math.floor(random() * list.length)]

/** One random step of a history. */
const happen = async ({ clock, random, server }, tabs) => {
  const some = () => server.rows.filter(() => random() < 0.3).map((row) => row.id)
  const tab = pick(random, tabs)
  const { inbox } = tab
  const command = (promise) => promise.catch(() => {})
  const steps = [
    () => server.publish(),
    () => server.publish(),
    () => server.grow(pick(random, server.rows)?.id, random() < 0.5),
    () => server.apply({ type: pick(random, ['read', 'remove']), ids: some() }),
    () => server.apply({ type: pick(random, ['read', 'seen']), upTo: Math.floor(random() * server.seq) }),
    () => command(inbox.read(inbox.snapshot.items.filter(() => random() < 0.3).map((row) => row.id))),
    () => command(inbox.remove(inbox.snapshot.items.filter(() => random() < 0.1).map((row) => row.id))),
    () => command(inbox.seen()),
    () => random() < 0.2 && command(inbox.read()),
    () => command(inbox.more()),
    () => command(inbox.more()),
    () => random() < 0.3 && server.cut(pick(random, [1006, 4200, 4201, 4103])),
    () => server.fold(random() < 0.3),
    () => server.unfold(),
    () => random() < 0.2 && server.restore(),
    () => (server.isAway = random() < 0.2),
    () => tab.show(random() < 0.5),
    () => tab.tell('online'),
    () => (pause = random() * 40_000),
  ]
  let pause = random() * 100
  pick(random, steps)()
  await clock.advance(pause)
}

/** The rows that a client shows are the first ones of the list, each as it is. */
const expectSame = (server, { inbox }, seed) => {
  const { status, synced, unread, unseen, items, more } = inbox.snapshot
  const shown = items.map(({ id, rev, isRead, isSeen }) => ({ id, rev, isRead, isSeen }))
  const there = server.rows.slice(0, items.length).map(({ id, rev, isRead, isSeen }) => ({ id, rev, isRead, isSeen }))
  assert.deepEqual({ seed, status, synced, unread, unseen }, { seed, status: 'live', synced: true, unread: server.unread, unseen: server.unseen })
  assert.deepEqual(shown, there, `the rows of seed ${seed}`)
  if (!more) assert.equal(items.length, server.rows.length, `all rows of seed ${seed}`)
}


export const debug = async (seed, watch) => {
    const world = createWorld({ seed, latency: 50 })
    const { clock, random, server, openBrowser, openTab } = world
    const log = []
    const sock = server.socket.bind(server)
    for (let count = random() * 160; count > 0; count--) server.publish()
    server.failsREST = () => random() < 0.1
    server.refuses = () => random() < 0.1
    const shared = openBrowser()
    const tabs = [openTab(openBrowser()), openTab(openBrowser(), { locks: false }), openTab(shared), openTab(shared, { isVisible: false })]
    server.socket = (tab) => { const s = sock(tab); const n = tabs.indexOf(tab); log.push([clock.elapsed|0, n, 'SOCKET']);
      return new Proxy(s, { set(t,k,v){ t[k] = v && (k==='onmessage'||k==='onclose') ? (e)=>{log.push([clock.elapsed|0,n,k,(e.data||e.code+'').slice(0,150)]); v(e)} : v; return true } }) }
    const rest = server.restore.bind(server); server.restore = () => { rest(); log.push([clock.elapsed|0,'RESTORE',server.epoch,server.seq]) }
    for (const [i,t] of tabs.entries()) for (const e of ['new','reset','update','status']) t.inbox.on(e, d => log.push([clock.elapsed|0, i, 'EVENT', e, d?.id ?? d?.status+' '+d?.synced]))
    for (let step = 0; step < 120; step++) await happen(world, tabs)
    server.isAway = false
    server.failsREST = server.refuses = () => false
    server.unfold()
    await clock.advance(120_000)
    tabs.forEach((t,i)=>{ const it=t.inbox.snapshot.items; const bad=it.map((r,k)=>[k,r,server.rows[k]]).filter(([k,r,q])=>!q||r.id!==q.id||r.rev!==q.rev||r.isRead!==q.isRead||r.isSeen!==q.isSeen); console.log(i, t.inbox.snapshot.synced, it.length, server.rows.length, t.inbox.snapshot.more, server.epoch, JSON.stringify(bad.slice(0,3)))})
    return log
}
for (const l of (await debug(+process.argv[2])).filter(x=>x[1]===+process.argv[3]||x[1]==='RESTORE').slice(-(+process.argv[4]||60))) console.log(JSON.stringify(l))
