// The console's parts that need no page: the trail in words, and plots.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { ceiling, path, thinned } from '../../console/lines.js'
import { answer } from '../../console/words.js'

const queued = (more) => ({ decision: 'created', push: { decision: 'queued', devices: 1, due: '2999-01-01T00:00:00Z' }, ...more })
const none = (push) => ({ decision: 'created', push })
const stepped = (step, more) => queued({ steps: [{ at: '2026-01-01T00:00:00Z', step, device: 'phone-1', provider: 'apns', ...more }] })
const held = (hold) => ({ decision: 'created', push: { decision: 'queued', devices: 1, due: '2999-01-01T00:00:00Z', hold } })
const person = { chosenBy: 'person', choice: 'type' }

// In the order of the table in docs/console.md, but for the last row, which has no decision.
const reasons = [
  { decision: 'actor' },
  { decision: 'unrouted' },
  { decision: 'muted', subject: 'room:789' },
  { decision: 'preferenceOff', ...person },
  { decision: 'preferenceOff', chosenBy: 'person', choice: 'category' },
  none({ decision: 'preferenceOff', chosenBy: 'app' }),
  { decision: 'preferenceOff', chosenBy: 'catalog' },
  none({ decision: 'never', chosenBy: 'catalog' }),
  none({ decision: 'never', chosenBy: 'event' }),
  none({ decision: 'noDevice' }),
  none({ decision: 'expired' }),
  none({ decision: 'batched' }),
  held('grace'),
  held('notBefore'),
  held('pace'),
  held('batch'),
  held('quietHours'),
  held('snooze'),
  stepped('cancelled', { because: 'acknowledged' }),
  stepped('cancelled', { because: 'read' }),
  stepped('cancelled', { because: 'removed' }),
  stepped('cancelled', { because: 'retracted' }),
  stepped('dropped', { because: 'muted', subject: 'room:789' }),
  stepped('dropped', { because: 'preferenceOff', ...person }),
  stepped('dropped', { because: 'permission' }),
  stepped('folded', { into: 'n1-9' }),
  stepped('putOff', { because: 'provider' }),
  stepped('putOff', { because: 'device' }),
  stepped('refused', { reason: 'BadTopic' }),
  stepped('deviceGone'),
  stepped('expired'),
  stepped('retried', { verdict: 'accepted' }),
  stepped('retried', { verdict: 'refused', reason: 'BadTopic' }),
  stepped('sent'),
]

test('the console says what its page of the documentation promises, for each reason', async () => {
  const page = await readFile(new URL('../../../docs/console.md', import.meta.url), 'utf8')
  const table = page.split('| the reason | what the console says |')[1].split('\n\n')[0]
  const rows = table.split('\n').slice(2).map((row) => row.split('|')[2]?.trim()).filter(Boolean)
  assert.deepEqual(reasons.map((one) => answer(one).text), rows.slice(0, -1))
  assert.ok(rows.length > 20)
})

test('the last word about a device counts, and a push that was sent counts more than one that was not', () => {
  const steps = [
    { step: 'putOff', because: 'provider', device: 'a', provider: 'apns' },
    { step: 'sent', device: 'a', provider: 'apns' },
    { step: 'refused', reason: 'BadTopic', device: 'b', provider: 'apns' },
  ]
  const { kind, text } = answer(queued({ steps }))
  assert.equal(kind, 'sent')
  assert.match(text, /^Push sent to a .* Not everywhere: APNs refused the push to b/)
  assert.equal(answer(queued({ steps: steps.slice(0, 1) })).kind, 'wait')
})

test('a push that was sent again counts as it ended, in place of its first end', () => {
  const steps = [{ step: 'refused', reason: 'BadTopic', device: 'a', provider: 'apns' }]
  const ended = (verdict) => answer(queued({ steps: [...steps, { step: 'retried', verdict, device: 'a', provider: 'apns' }] }))
  assert.equal(ended('accepted').kind, 'sent')
  assert.match(ended('gone').text, /^The push to a .* was sent again: the service does not know the device any more\.$/)
  assert.match(ended('busy').text, /takes nothing at the moment\.$/)
})

test('a dry run tells of pushes that are still to come, even if they would be due at once', () => {
  const { kind, text } = answer({ decision: 'created', push: { decision: 'queued', devices: 2, due: '2020-01-01T00:00:00Z' } })
  assert.deepEqual([kind, text], ['wait', 'A push to 2 devices was planned at once.'])
})

test('plots have round numbers at their top, keep the largest of neighbours, and leave gaps', () => {
  assert.deepEqual([0, 0.3, 1, 1.2, 3, 7, 99, 101].map(ceiling), [1, 0.5, 1, 2, 5, 10, 100, 200])
  assert.deepEqual(thinned([1, 9, null, null, 3], 3), { values: [1, 9, 3], size: 2 })
  assert.equal(path([1, null, 1, 1], 1, 4, 1).match(/M/g).length, 2)
})

test('a decision or step that this console does not know is shown as it is', () => {
  assert.equal(answer({ decision: 'beamed' }).text, 'beamed')
  assert.equal(answer(stepped('cancelled', { because: 'eclipse' })).text, 'No push to phone-1 (APNs): eclipse.')
})
