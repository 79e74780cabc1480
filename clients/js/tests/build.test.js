import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const folder = fileURLToPath(new URL('..', import.meta.url))
const read = (...path) => readFileSync(join(...path))

test('what is checked in is what a build gives', () => {
  const fresh = mkdtempSync(join(tmpdir(), 'belfry-'))
  try {
    execFileSync(join(folder, 'build'), [fresh])
    for (const name of readdirSync(fresh)) {
      assert.ok(read(fresh, name).equals(read(folder, 'dist', name)), `dist/${name} is not that of its source: clients/js/build`)
    }
  } finally {
    rmSync(fresh, { recursive: true })
  }
})

test('the client has at most 6.25 kilobytes, minified and compressed, and what it loads where WebSockets fail two and a half', () => {
  for (const [name, most] of [['belfry.js', 6_400], ['belfry-ways.js', 2_560]]) {
    const bytes = gzipSync(read(folder, 'dist', name), { level: 9 }).length
    assert.ok(bytes <= most, `${name} has ${bytes} bytes`)
  }
})

test('the elements, what they load when it is needed, and the preferences do not grow, minified and compressed', () => {
  for (const [name, most] of [['belfry-elements.js', 11_900], ['belfry-extras.js', 1_000], ['belfry-preferences.js', 5_000]]) {
    const bytes = gzipSync(read(folder, 'dist', name), { level: 9 }).length
    assert.ok(bytes <= most, `${name} has ${bytes} bytes`)
  }
})

test('the types fit their use', () => {
  execFileSync('tsc', ['--noEmit', '--strict', '--target', 'es2022', '--module', 'es2022', '--moduleResolution', 'node',
    '--lib', 'es2022,dom', join(folder, 'tests/types.ts'), join(folder, 'tests/elements.types.ts')], { encoding: 'utf8' })
})

test('the package has all that it names, and nothing else', () => {
  const { files, exports } = JSON.parse(read(folder, 'package.json'))
  for (const name of files) assert.ok(read(folder, name.replace(/\/$/, '/connect.js').replace('dist/connect', 'dist/belfry')).length)
  for (const entry of Object.values(exports)) {
    for (const path of typeof entry === 'string' ? [entry] : Object.values(entry)) assert.ok(read(folder, path).length)
  }
})
