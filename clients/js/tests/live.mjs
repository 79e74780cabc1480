#!/usr/bin/env node
// Against a real server: node --experimental-websocket live.mjs URL TOKEN
//
// Joins, tells `joined` on its standard output, and then follows the lines of its standard input:
//
//   publish    waits for one more notification, which the caller publishes, and tells `new ID`
//   read       reads all, waits for the server's word and tells `read`
//   restart    waits for the caller to restart the server, and tells `back` once the client is in sync again
//   end        closes, and ends with status 0
//
// Every wait ends after twenty seconds, with status 1.

import { createInterface } from 'node:readline'
import { connect } from '../belfry.js'

const [url, token] = process.argv.slice(2)
if (!token) {
  console.error('usage: node --experimental-websocket live.mjs URL TOKEN')
  process.exit(64)
}

const inbox = connect({ url, token: () => token, attention: () => true })
const fail = (what) => {
  console.error(`${what}: ${JSON.stringify({ ...inbox.snapshot, items: inbox.snapshot.items.length })}`)
  process.exit(1)
}
const until = (what, isTrue) =>
  new Promise((resolve) => {
    const timer = setTimeout(fail, 20_000, what)
    const check = () => {
      if (!isTrue(inbox.snapshot)) return
      clearTimeout(timer)
      undos.forEach((undo) => undo())
      resolve()
    }
    // Events are told after the snapshot that they are about.
    const undos = [inbox.subscribe(check), inbox.on('new', check)]
    check()
  })
const inSync = ({ status, synced }) => status === 'live' && synced

const arrived = []
inbox.on('new', ({ id }) => arrived.push(id))

const steps = {
  async publish() {
    await until('nothing new came', (snapshot) => arrived.length && inSync(snapshot))
    return `new ${arrived.shift()}`
  },
  async read() {
    await inbox.read()
    await until('still unread', (snapshot) => snapshot.unread === 0 && inSync(snapshot))
    if (inbox.snapshot.items.some((row) => !row.isRead)) fail('a row is unread')
    return 'read'
  },
  async restart() {
    await until('the server did not go', (snapshot) => !inSync(snapshot))
    await until('the server did not come back', inSync)
    return 'back'
  },
}

await until('not joined', inSync)
console.log('joined')
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'end') break
  if (!steps[line]) fail(`no such step: ${line}`)
  console.log(await steps[line]())
}
inbox.close()
process.exit(0)
