import { readFileSync, readdirSync } from 'node:fs'
import test from 'node:test'
import { connect } from '../belfry.js'
import { connect as connectBuilt } from '../dist/belfry.js'
import { ScenarioRun } from './support/scenario.js'

const folder = new URL('../../scenarios/', import.meta.url)

for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.json'))) {
  const scenario = JSON.parse(readFileSync(new URL(file, folder)))
  test(`${scenario.name}: ${scenario.about}`, () => new ScenarioRun(connect, scenario).run())
  // What is minified has other names inside, and must do the same.
  test(`${scenario.name}, as it is built`, () => new ScenarioRun(connectBuilt, scenario).run())
}
