// What the apps can say: every type, as it looks in each language; and reading the files again.
import { call, get } from './calls.js'
import { button, card, chip, facts, field, fill, make, plural, say, table } from './dom.js'
import { rendered } from './rendered.js'

export const title = 'Catalogs'

const mistakes = (list, kind) =>
  table(kind, ['File', 'Line', 'Key', 'What'], list.map((one) => [one.file, one.line ?? '–', one.key ?? '–', one.message]))

export const show = async (page) => {
  const outcome = make('div', { 'aria-live': 'polite' })
  const place = make('div', { class: 'side' })
  const filter = make('input', { autocomplete: 'off', spellcheck: 'false' })
  let catalogs = []
  const drawAll = () => {
    const wanted = filter.value.trim().toLowerCase()
    fill(place, catalogs.map((catalog) => {
      const types = catalog.types.filter((one) => !wanted || `${one.type} ${one.title} ${one.lists.join(' ')}`.toLowerCase().includes(wanted))
      return types.length > 0 && card(catalog.title || catalog.name, null,
        facts([['Name', catalog.name, ' ', catalog.app ? chip(`app ${catalog.app}`) : ''], ['File', catalog.file], ['Languages', catalog.languages.join(', ') || 'one'],
          ['Events', catalog.events.map(({ type }) => type).join(', ')], catalog.feeds.length > 0 && ['Feeds', catalog.feeds.join(', ')]]),
        ...types.map((one) => one.problem ? make('section', { class: 'rendered' }, make('h3', null, one.type), make('p', { class: 'dim' }, one.problem)) : rendered(one)))
    }))
  }
  filter.addEventListener('input', drawAll)
  const refresh = async () => {
    ({ catalogs } = await get('/console/catalogs'))
    drawAll()
  }
  const reload = button('Read the files again', async () => {
    try {
      const report = await call('POST', '/v1/reload')
      say(report.changed.length ? `In use now: ${report.changed.join(', ')} changed.` : 'Read again. Nothing has changed.')
      fill(outcome, report.warnings?.length > 0 && card('Probably not what you want', null, mistakes(report.warnings, 'Warnings')))
    } catch (error) {
      if (!error.problem?.mistakes) throw error
      const list = error.problem.mistakes
      fill(outcome, card(`${plural(list.length, 'mistake')}: the old catalogs stay in use`, { class: 'fault' }, mistakes(list, 'Mistakes')))
    }
    await refresh()
  }, 'main')
  fill(page, make('div', { class: 'head' }, make('h1', null, 'Catalogs'), reload), outcome, make('div', { class: 'bar' }, field('Only types with', filter)), place)
  await refresh()
  return undefined
}
