import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createWorld, token } from './support/world.js'

const page = readFileSync(new URL('../../../docs/quickstart.md', import.meta.url), 'utf8')
const block = (language) => {
  const found = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code)
  assert.equal(found.length, 1, `blocks in ${language}`)
  return found[0]
}
const scriptOf = (component) => component.match(/<script[^>]*>\n(.*?)<\/script>/s)[1]

/** What stands in for the frameworks, which no test can download: only what the snippets call. */
const standIns = {
  'react/index.js': `
    export const useSyncExternalStore = (subscribe, get) => {
      globalThis.quickstart.subscribed ||= subscribe(() => globalThis.quickstart.renderings++)
      return get()
    }`,
  'react/jsx-runtime.js': 'export const jsx = (type, props) => ({ type, ...props }); export const jsxs = jsx',
  'vue/index.js': `
    export const shallowRef = (value) => ({ value })
    export const onUnmounted = (undo) => (globalThis.quickstart.undo = undo)`,
}

/** Runs a snippet beside the page's own `inbox.js`, whose client gets a simulated browser and server. */
const run = async (name, source) => {
  const folder = mkdtempSync(join(tmpdir(), 'belfry-'))
  const { clock, server, openBrowser } = createWorld()
  server.publish()
  globalThis.quickstart = { env: openBrowser().open().env, renderings: 0, token: token() }
  const client = fileURLToPath(new URL('../belfry.js', import.meta.url))
  const opened = `
    import { connect as join } from '${client}'
    const connect = (options) => join(options, globalThis.quickstart.env)
    const fetch = async () => ({ ok: true, text: async () => globalThis.quickstart.token })
    ${block('js').replace(/^import .*$/m, '')}`
  try {
    for (const [path, code] of Object.entries({ ...standIns, 'inbox.js': opened, [name]: source })) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), code)
    }
    const bundle = join(folder, 'bundle.mjs')
    execFileSync('esbuild', [join(folder, name), '--bundle', '--format=esm', '--jsx=automatic', '--log-level=warning',
      `--alias:react=${join(folder, 'react')}`, `--alias:vue=${join(folder, 'vue')}`, `--outfile=${bundle}`])
    const module = await import(pathToFileURL(bundle))
    await clock.advance(1_000)
    return { ...module, clock, server }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('each snippet of the quick start has fewer than thirty lines', () => {
  for (const [, language, code] of page.matchAll(/^```(\w+)\n(.*?)^```/gms)) assert.ok(code.split('\n').length <= 30, language)
})

test('the quick start for React lists what is there, is rendered again when something comes, and reads on a click', async () => {
  const { Notifications, clock, server } = await run('notifications.jsx', block('jsx'))
  const rows = () => Notifications().children[1].children
  assert.equal(Notifications().children[0].children.join(''), 'Notifications (1)')
  assert.deepEqual(rows().map(({ children }) => children.type), ['strong'])
  const { renderings } = globalThis.quickstart
  server.publish()
  await clock.advance(100)
  assert.ok(globalThis.quickstart.renderings > renderings)
  assert.equal(rows().length, 2)
  rows()[0].onClick()
  await clock.advance(500)
  assert.equal(server.unread, 1)
})

test('the quick start for Vue follows the inbox until the component goes', async () => {
  const { state, clock, server } = await run('component.js', scriptOf(block('vue')) + '\nexport { state }')
  assert.equal(state.value.unread, 1)
  server.publish()
  await clock.advance(100)
  assert.equal(state.value.items.length, 2)
  globalThis.quickstart.undo()
  server.publish()
  await clock.advance(100)
  assert.equal(state.value.items.length, 2)
})

test('the quick start for Svelte has a store that tells what there is, and what comes', async () => {
  const { state, clock, server } = await run('component.js', scriptOf(block('svelte')) + '\nexport { state }')
  const told = []
  const undo = state.subscribe(({ unread }) => told.push(unread))
  server.publish()
  await clock.advance(100)
  undo()
  server.publish()
  await clock.advance(100)
  assert.deepEqual([told[0], told.at(-1)], [1, 2])
})
