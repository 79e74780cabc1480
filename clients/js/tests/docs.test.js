import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { createWorld, token } from './support/world.js'

const page = readFileSync(new URL('../../../docs/clients-js.md', import.meta.url), 'utf8')
const snippets = [...page.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code)

/** What the snippets find in a page; the client of a snippet gets a simulated browser. */
const run = async (code, number, folder) => {
  const { clock, server, openBrowser } = createWorld()
  server.publish()
  server.publishItem('posts', { title: 'one' })
  server.publishItem('posts', { title: 'two' })
  const { env } = openBrowser().open()
  const said = []
  Object.assign(globalThis, {
    snippet: { env, console: { log: (...words) => said.push(words) }, token: token() },
    document: { title: '' },
    localStorage: { belfryToken: token() },
  })
  const client = new URL('../belfry.js', import.meta.url)
  const file = join(folder, `snippet${number}.mjs`)
  writeFileSync(file, `
    import { BelfryError, connect as join } from '${client}'
    const { env, console, token } = globalThis.snippet
    const fetch = async () => ({ status: 200, text: async () => token })
    const process = { env: { BELFRY_URL: 'wss://push.example.com', BELFRY_TOKEN: token } }
    export const opened = []
    const connect = (options) => (opened.push(join(options, env)), opened[0])
    ${code.replace(/^import .*$/gm, '')}`)
  let isDone = false
  const loading = import(pathToFileURL(file)).finally(() => (isDone = true))
  // The file is read in real time, and runs in simulated time.
  while (!isDone) await clock.advance(50)
  const module = await loading
  await clock.advance(1_000)
  return { ...module, inbox: module.opened[0], server, clock, said }
}

test('every snippet of the client’s page runs', async () => {
  assert.ok(snippets.length >= 6)
  const folder = mkdtempSync(join(tmpdir(), 'belfry-'))
  const { document, localStorage } = globalThis
  try {
    for (const [number, code] of snippets.entries()) {
      const { inbox, tap, server, clock, said } = await run(code, number, folder)
      assert.deepEqual([inbox.snapshot.status, inbox.snapshot.synced], ['live', true], code)
      if (number === 0) assert.deepEqual([globalThis.document.title, said.at(-1)], ['(1) My app', ['live', ['hello']]])
      if (code.includes("feed('posts'")) assert.deepEqual(said.slice(-3).map(([first]) => first), ['begin with an empty list', 1, 2])
      if (tap) {
        const done = tap(inbox.snapshot.items[0])
        await clock.advance(500)
        await done
        assert.equal(server.unread, 0)
      }
      inbox.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
    Object.assign(globalThis, { document, localStorage })
  }
})
