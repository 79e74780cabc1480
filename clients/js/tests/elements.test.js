import assert from 'node:assert/strict'
import test from 'node:test'
import { ageOf, sectionOf, startsOf } from '../src/elements/dates.js'
import { countAbove, topsOf } from '../src/elements/heights.js'
import { say } from '../src/elements/labels.js'
import { linesOf } from '../src/elements/lines.js'
import { linkOf, urlOf } from '../src/elements/url.js'
import { answerOf, answersOf, buttonsOf, initialsOf, picturesOf, piecesOf } from '../src/elements/words.js'
import { sentencesOf } from '../src/extras/explain.js'
import { categoryPatch, groupsOf, resetPatch, stateOf, titleOf, typePatch } from '../src/preferences/choices.js'
import { daysFrom, usualHours, withMore } from '../src/preferences/quiet.js'

const at = (...parts) => new Date(...parts).getTime()

test('elements: dates change at midnight, and weeks begin on the reader’s day', () => {
  // A Thursday.
  const starts = startsOf(at(2026, 10, 26, 0, 0, 1), 1)
  assert.deepEqual(starts, [at(2026, 10, 26), at(2026, 10, 25), at(2026, 10, 23)])
  const sections = [at(2026, 10, 26), at(2026, 10, 25, 23, 59, 59), at(2026, 10, 24, 23, 59, 59), at(2026, 10, 22, 23)]
  assert.deepEqual(sections.map((time) => sectionOf(time, starts)), [0, 1, 2, 3])
  assert.equal(sectionOf(at(2030, 0, 1), starts), 0)
  assert.equal(sectionOf(NaN, starts), 3)
  assert.equal(startsOf(at(2026, 10, 26), 7)[2], at(2026, 10, 22))
  // On a Monday, the week begins with yesterday at the latest, so that nothing of it is left.
  assert.deepEqual(startsOf(at(2026, 10, 23, 12), 1).slice(1), [at(2026, 10, 22), at(2026, 10, 22)])
})

test('elements: an age is told in minutes, hours, days of the week, and dates', () => {
  const now = at(2026, 10, 26, 12)
  const age = (time) => ageOf(time, now, 'en', 'now')
  assert.deepEqual([now, now + 90_000, NaN].map(age), ['now', 'now', 'now'])
  assert.match(age(now - 5 * 60_000), /^5\s?m/)
  assert.match(age(now - 3 * 3_600_000), /^3\s?h/)
  assert.equal(age(at(2026, 10, 24, 12)), 'Tue')
  assert.equal(age(at(2026, 6, 4)), 'Jul 4')
  assert.equal(age(at(2025, 6, 4)), 'Jul 4, 2025')
})

test('elements: lines keep the list’s order within a date, and a row that came up again is as new as those below', () => {
  const now = at(2026, 10, 26, 12)
  const item = (id, days, more) => ({ id, createdAt: new Date(now - days * 86_400_000).toISOString(), ...more })
  const rows = [item('bumped', 30, { place: 9 }), item('late', 1), item('a', 0), item('b', 0), item('old', 30)]
  const shown = (options) => linesOf(rows, { now, firstDay: 1, open: new Set(), ...options }).map(({ item, section }) => item.id + section)
  assert.deepEqual(shown(), ['bumped0', 'a0', 'b0', 'late1', 'old3'])
})

test('elements: notifications of one group and date are one line, and follow it when it is open', () => {
  const now = at(2026, 10, 26, 12)
  const rows = ['1', '2', '3'].map((id) => ({ id, createdAt: new Date(now).toISOString(), group: id === '2' ? 'h' : 'g' }))
  const lines = (open) => linesOf(rows, { now, open: new Set(open), isGrouped: true })
  const [first, second] = lines([])
  assert.deepEqual([lines([]).length, first.count, second.count], [2, 1, 0])
  assert.deepEqual(lines([first.key]).map(({ item, isPart }) => [item.id, !!isPart]), [['1', false], ['3', true], ['2', false]])
  assert.equal(linesOf(rows, { now, open: new Set() }).length, 3)
  // Where further pages are to come, there may be more of the last date's groups.
  const older = { id: '4', createdAt: new Date(now - 40 * 86_400_000).toISOString(), group: 'g' }
  const partial = linesOf([...rows, older], { now, open: new Set(), isGrouped: true, hasMore: true })
  assert.deepEqual(partial.map(({ isPartial }) => isPartial), [false, false, true])
})

test('elements: lines stand below each other and the titles of their sections, wherever somebody has scrolled to', () => {
  const lines = [0, 0, 1, 3].map((section, index) => ({ item: { id: `${index}` }, section }))
  const tops = topsOf(lines, (id) => (id === '1' ? 50 : 80), () => 30)
  assert.deepEqual(tops, [30, 110, 190, 300, 380])
  assert.deepEqual([-5, 0, 30, 31, 190, 191, 999].map((place) => countAbove(tops, place)), [0, 0, 0, 1, 2, 3, 5])
  assert.deepEqual(topsOf([], () => 80, () => 30), [0])
})

test('elements: only addresses of the web come through, and relative ones', () => {
  const base = 'https://app.example/a/b'
  for (const [given, found] of [['/x', 'https://app.example/x'], ['c', 'https://app.example/a/c'], ['http://e.example/', 'http://e.example/']]) {
    assert.equal(urlOf(given, base), found)
  }
  const refused = ['javascript:alert(1)', ' \tjava\nscript:alert(1)', 'data:text/html,x', 'blob:https://a/b', 'vbscript:x', 'file:///x',
    'http://', '', ' ', null, undefined, 7, {}, []]
  for (const given of refused) assert.equal(urlOf(given, base), undefined, String(given))
  assert.equal(linkOf({ deepLink: { url: '/x' } }), '/x')
  assert.equal(linkOf({}), undefined)
})

test('elements: words of a notification: initials, the actor’s name, pictures, buttons, labels', () => {
  assert.deepEqual(['Pete Moss', 'pete', '', ' Ánna  van der Öl ', '🙂 x'].map(initialsOf), ['PM', 'P', '', 'ÁÖ', 'X'])
  assert.deepEqual(piecesOf({ displayText: 'pete liked it', actor: { username: 'pete', firstName: 'Pete' } }), ['pete', ' liked it'])
  assert.deepEqual(piecesOf({ displayText: 'New issue', actor: null }), ['', 'New issue'])
  assert.deepEqual(picturesOf({ thumbnails: [{ url: 'a' }, 'b'], batchCount: 9 }), { pictures: [{ url: 'a' }, { url: 'b' }], rest: 7 })
  assert.deepEqual(picturesOf({ thumbnails: 'x', batchCount: 9 }).pictures, [])
  const labels = { followBack: 'Follow back', following: 'Following' }
  assert.deepEqual(buttonsOf({ isFollowingBack: false, cta: { label: 'View', action: 'open' } }, labels).map(({ label }) => label), ['Follow back', 'View'])
  assert.deepEqual(buttonsOf({ cta: null, actions: [{ label: {} }] }, labels), [])
  assert.deepEqual([say('{count} more', 2), say((count) => `${count}!`, 3), say('none')], ['2 more', '3!', 'none'])
})

test('elements: a question has buttons until it has an answer, or its time has ended', () => {
  const actions = [{ id: 'approve', label: 'Approve' }, { id: 'reject', label: 'Reject' }]
  const question = { actions, answer: null }
  assert.deepEqual(answersOf({ question }, 0), [{ label: 'Approve', answer: 'approve' }, { label: 'Reject', answer: 'reject' }])
  const answerBy = '2026-01-01T00:00:00.000Z'
  const end = Date.parse(answerBy)
  assert.deepEqual([end - 1, end].map((now) => answersOf({ question: { ...question, answerBy } }, now).length), [2, 0])
  const answered = { question: { ...question, answer: { action: 'reject' } } }
  assert.deepEqual([answersOf(answered, 0), answerOf(answered)], [[], 'Reject'])
  assert.deepEqual([answerOf({ question: { ...question, answer: { action: null } } }), answerOf({}), answersOf({}, 0)], [undefined, undefined, []])
})

test('elements: an explanation is told as its sentences, and as names and values', () => {
  const data = { id: 'n1', type: 'X', state: 'unseen', events: [{ type: 'x', text: 'It came.' }], waiting: [], choices: { push: false }, none: null }
  assert.deepEqual(sentencesOf(data), ['It came.'])
})

test('preferences: a choice tells both channels, and a category takes its types along', () => {
  const both = { inApp: true, push: true }
  const type = (name, more) => ({ name, title: name, category: 'c', required: false, choice: {}, effective: both, ...more })
  const own = type('B', { choice: { push: false }, effective: { inApp: true, push: false } })
  const prefs = { categories: [{ name: 'c', title: 'C', choice: {} }], types: [type('A'), own, type('P', { pushOnly: true, category: null })] }
  const [group, others] = groupsOf(prefs)
  assert.deepEqual([stateOf(group, 'inApp'), stateOf(group, 'push'), others.types.length], [true, undefined, 1])
  assert.deepEqual(typePatch(type('A'), 'inApp', false), { types: { A: { inApp: false, push: true } } })
  assert.deepEqual(typePatch(others.types[0], 'push', false), { types: { P: { push: false } } })
  assert.deepEqual(categoryPatch(group, 'inApp', false), {
    categories: { c: { inApp: false, push: true } }, types: { B: { inApp: false, push: false } } })
  const required = { name: 'c', choice: {}, types: [type('A'), type('R', { required: true })] }
  assert.deepEqual(categoryPatch(required, 'push', false), { types: { A: { inApp: true, push: false } } })
  assert.deepEqual(resetPatch(prefs), { categories: {}, types: { B: null } })
  assert.deepEqual(daysFrom(7).slice(0, 2), ['sun', 'mon'])
})

test('preferences: other times are for some days, which are not those of any other window', () => {
  const { windows } = usualHours()
  const [week, weekend] = withMore(windows)
  assert.deepEqual([week.days, weekend.days, week.to, weekend.to], [['mon', 'tue', 'wed', 'thu', 'fri'], ['sat', 'sun'], '07:00', '09:00'])
  const free = withMore([week])
  assert.deepEqual([free[0], free[1].days], [week, ['sat', 'sun']])
  let all = windows
  for (let next = all; next; next = withMore(all)) all = next
  assert.equal(all.length, 7)
  assert.deepEqual(all.flatMap(({ days }) => days).sort(), daysFrom(1).sort())
})

test('preferences: what has no title is called by its name, in words', () => {
  const named = ['ADDED_TO_ROOM', 'room_like', 'newFollower', 'v2Update', 'X'].map((name) => titleOf({ name, title: name }))
  assert.deepEqual(named, ['Added to room', 'Room like', 'New follower', 'V2 update', 'X'])
  assert.equal(titleOf({ name: 'ROOM_LIKE', title: 'Likes of your rooms' }), 'Likes of your rooms')
})
