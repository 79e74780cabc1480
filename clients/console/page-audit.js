// What operators have done by the console.
import { get } from './calls.js'
import { button, card, fill, make, table, when } from './dom.js'

export const title = 'Audit'

export const show = async (page) => {
  const place = make('div')
  const refresh = async () => {
    const { entries } = await get('/console/audit?limit=200')
    fill(place, table('Actions', ['When', 'Who', 'From', 'Did', 'About'], entries.map((one) => [
      when(one.at), [one.who ?? 'no name given', make('span', { class: 'dim' }, ` by ${one.by}`)], one.address ?? 'a Unix socket', make('code', null, one.action),
      [...one.about, ...(one.query ? [one.query] : [])].join(', ') || '–',
    ]), 'Nobody has done anything yet.'))
  }
  fill(page, make('div', { class: 'head' }, make('h1', null, 'Audit log'), button('Read again', refresh)), card('The last actions of this node', null, place))
  await refresh()
  return undefined
}
