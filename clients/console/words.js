// The trail in words, for somebody who asks: why did they get this, or not? No page is needed here, so tests run it alone.

/** @typedef {{ kind: 'sent' | 'none' | 'wait' | 'bad' | 'info', text: string, advice?: string }} Reason */

const off = (choice) => {
  switch (choice?.chosenBy) {
    case 'person': return choice.choice === 'category' ? 'they have switched its category off' : 'they have switched its kind off'
    case 'app': return 'it is off by the app’s default, and they have not switched it on'
    case 'catalog': return 'the catalog has it off for everybody'
    default: return 'it is switched off'
  }
}
const offAdvice = (choice) => {
  switch (choice?.chosenBy) {
    case 'person': return 'Their own choice: they can change it in the app’s settings.'
    case 'app': return 'The catalog’s default decides until they choose.'
    case 'catalog': return 'Change the catalog to let it through.'
    default: return undefined
  }
}
const causes = {
  acknowledged: 'they had it on a screen',
  read: 'they had read it',
  removed: 'it had been removed from the inbox',
  retracted: 'the publisher took the event back',
}
const delays = {
  provider: 'the push service gives no answer',
  device: 'the push service takes nothing for this device at the moment',
  tokenLost: 'the device has registered anew since the push service lost it',
  quietHours: 'they have quiet hours',
  snooze: 'they have a snooze',
}
const holds = {
  grace: 'a session is open, and may show it first',
  notBefore: 'the publisher asked for that time',
  pace: 'the type’s limit of pushes an hour is reached',
  batch: 'more of the same is gathered first',
  quietHours: 'they have quiet hours',
  snooze: 'they have a snooze',
}
const providers = { apns: 'APNs', fcm: 'FCM', onesignal: 'OneSignal', webpush: 'Web Push' }
export const provider = (name) => providers[name] ?? name ?? 'the push service'
const device = ({ device, provider: name }) => `${device ?? 'a device'}${name ? ` (${provider(name)})` : ''}`

/** What a push service answered when it did not take a push that was sent again. */
const again = ({ verdict, reason }) => ({ gone: 'the service does not know the device any more', busy: 'the service takes nothing at the moment' })[verdict] ?? `the service refused it: ${reason}`

/** What became of the notification in the app. */
export const inApp = (one) => {
  switch (one.decision) {
    case 'created': return { kind: 'sent', text: 'It came into the inbox.' }
    case 'batched': return { kind: 'sent', text: 'It joined a notification that they had not read.' }
    case 'pushOnly': return { kind: 'info', text: 'It does not come into the inbox, only as a push.', advice: 'By the catalog (inApp: never), or because they have it off in the app.' }
    case 'actor': return { kind: 'none', text: 'Nothing came: they did it themselves.', advice: 'Nobody is told of their own doing.' }
    case 'unrouted': return { kind: 'none', text: 'Nothing came: no route of the catalog names the list that they were in.', advice: 'Look at the names of the lists under “to”, and at the routes of the event in its catalog.' }
    case 'muted': return { kind: 'none', text: `Nothing came: they have muted ${one.subject}.`, advice: 'Their own choice: they can end the mute in the app.' }
    case 'preferenceOff': return { kind: 'none', text: `Nothing came: ${off(one)}.`, advice: offAdvice(one) }
    default: return { kind: 'info', text: one.decision }
  }
}

/** Why a push was not even queued; undefined if one was. */
const unqueued = (push) => {
  switch (push?.decision) {
    case 'never': return push.chosenBy === 'event'
      ? { kind: 'none', text: 'No push: the publisher asked for none.', advice: 'The event has push.when: never.' }
      : { kind: 'none', text: 'No push: this type never has one.', advice: 'The catalog says when: never.' }
    case 'preferenceOff': return { kind: 'none', text: `No push: ${off(push)}.`, advice: offAdvice(push) }
    case 'noDevice': return { kind: 'none', text: 'No push: they have no device that shows one.', advice: 'Either no app has registered a device, or the person does not allow notifications on any. Look at their devices.' }
    case 'expired': return { kind: 'none', text: 'No push: it would have come after its expiry.', advice: 'Look at expiresAt of the event, and at push.expiry in the settings.' }
    case 'batched': return { kind: 'none', text: 'No push of its own: there was one when the batch began.', advice: 'The type pushes once for each batch.' }
    default: return undefined
  }
}

/** Why a Live Activity was told nothing. */
const untold = {
  noStartToken: 'its app has sent no token to begin one of this type',
  startBudget: 'it has begun as many within the hour as its system takes',
  notRunning: 'none of this key runs there',
  over: 'it has ended',
  older: 'a later event had come before',
  neverBegan: 'it ended before it had begun',
  expired: 'it waited too long',
  tooOld: 'it began more than eight hours ago',
  tooLarge: 'the payload is larger than the push service takes',
  tokenGone: 'the push service does not know its token any more',
  dismissed: 'its app says that it is over',
}
const toldAs = { start: 'begun', update: 'brought up to date', end: 'ended' }

/** What an event told a Live Activity. */
const activity = (one, to) => {
  switch (one.became) {
    case 'sent': return { kind: 'sent', text: `The Live Activity on ${to} was ${toldAs[one.event] ?? one.event}${one.lowered ? ', at low priority' : ''}.`, advice: one.lowered ? 'The hour’s budget of high priority was spent: push.activities.urgentPerHour.' : undefined }
    case 'waits': return { kind: 'wait', text: `The Live Activity on ${to} gets it once its app has sent the token.` }
    case 'joined': case 'replaced': return { kind: 'info', text: `The Live Activity on ${to} gets it with what came later.` }
    case 'refused': return { kind: 'bad', text: `${provider(one.provider)} refused to tell the Live Activity on ${to}: ${one.reason}.` }
    default: return { kind: 'none', text: `The Live Activity on ${to} was not told: ${untold[one.because] ?? one.because}.` }
  }
}

/** One later step. `at` stands beside it. */
export const step = (one) => {
  const to = device(one)
  switch (one.step) {
    case 'sent': return { kind: 'sent', text: `Push sent to ${to}: the service accepted it.`, advice: 'If the phone showed nothing: a focus mode, or notifications switched off in its settings, decide there.' }
    case 'folded': return { kind: 'sent', text: `The push to ${to} told of it together with ${one.into}.` }
    case 'cancelled': return { kind: 'none', text: `No push to ${to}: ${causes[one.because] ?? one.because}.`, advice: one.because === 'acknowledged' ? 'A session that somebody looked at had shown it before the push was due.' : undefined }
    case 'dropped':
      switch (one.because) {
        case 'muted': return { kind: 'none', text: `No push to ${to}: they have muted ${one.subject} since it came.`, advice: 'Their own choice.' }
        case 'preferenceOff': return { kind: 'none', text: `No push to ${to}: ${off(one)}, since it came.`, advice: offAdvice(one) }
        case 'permission': return { kind: 'none', text: `No push to ${to}: the person does not allow notifications there.`, advice: 'They can allow them in the settings of the phone.' }
        default: return { kind: 'none', text: `No push to ${to}: ${one.because}.` }
      }
    case 'withdrawn': return { kind: 'info', text: `The push was taken off the screen of ${to}: ${causes[one.because] ?? one.because}.` }
    case 'putOff': return { kind: 'wait', text: `The push to ${to} waits: ${delays[one.because] ?? one.because}.`, advice: one.because === 'provider' ? 'It is tried again by itself. Look at the push services under “Now”.' : undefined }
    case 'refused': return { kind: 'bad', text: `${provider(one.provider)} refused the push to ${to}: ${one.reason}.`, advice: 'It is not tried again. The page “Failed pushes” explains the reason.' }
    case 'deviceGone': return { kind: 'bad', text: `${provider(one.provider)} does not know ${one.device ?? 'the device'} any more.`, advice: 'The app was removed, or has got another token. The device is forgotten until its app registers again.' }
    case 'expired': return { kind: 'bad', text: `The push to ${to} was given up: it was too old.`, advice: 'The push service took nothing for too long, or quiet hours lasted longer than push.expiry.' }
    case 'retried': return one.verdict === 'accepted'
      ? { kind: 'sent', text: `Push sent again to ${to}: the service accepted it.`, advice: 'An operator had it sent again.' }
      : { kind: 'bad', text: `The push to ${to} was sent again: ${again(one)}.`, advice: 'An operator had it sent again. The page “Failed pushes” explains the reason.' }
    case 'answered': return { kind: 'info', text: one.by === 'expiry' ? `Nobody answered its question in time${one.action ? `, so the default counts: ${one.action}` : ''}.` : `Its question was answered: ${one.action}.` }
    case 'activity': return activity(one, to)
    case 'patched': return { kind: 'info', text: 'Its text or data was brought up to date.' }
    case 'retracted': return { kind: 'info', text: 'The publisher took the event back: it is no longer in the inbox.' }
    case 'shrunk': return { kind: 'info', text: 'The publisher took one event of the batch back.' }
    default: return { kind: 'info', text: one.step }
  }
}

/** Why a queued push has not left yet. */
export const hold = (push) => ({
  kind: 'wait',
  text: `A push to ${push.devices === 1 ? 'one device' : `${push.devices} devices`} was planned${push.hold ? `: ${holds[push.hold] ?? push.hold}` : ' at once'}.`,
  due: push.due,
})

const rank = { bad: 0, wait: 1, none: 2, sent: 3, info: 4 }

/**
 * The answer in one sentence: what decided about the push, or about everything.
 * @returns {Reason}
 */
export const answer = (one) => {
  if (!one.push) return inApp(one)
  const none = unqueued(one.push)
  if (none) return none
  const ends = ['sent', 'folded', 'cancelled', 'dropped', 'refused', 'deviceGone', 'expired', 'retried']
  const steps = one.steps ?? []
  // The last word about each device.
  const last = new Map()
  for (const some of steps) if (ends.includes(some.step) || some.step === 'putOff') last.set(some.device ?? '', some)
  const words = [...last.values()].map(step).sort((a, b) => rank[a.kind] - rank[b.kind])
  const waiting = one.waiting ?? []
  if (words.some(({ kind }) => kind === 'sent')) {
    const others = words.filter(({ kind }) => kind !== 'sent')
    const sent = words.find(({ kind }) => kind === 'sent')
    return others.length ? { ...sent, text: `${sent.text} Not everywhere: ${others[0].text}` } : sent
  }
  if (words.length) return words[0]
  if (waiting.length || one.push.decision === 'queued') {
    const { text, due } = hold(one.push)
    // A dry run has no steps: what it tells of is still to come.
    const isOver = one.steps && due && Date.parse(due) < Date.now() && !waiting.length
    return isOver
      ? { kind: 'info', text: `${text} Nothing more is known of it.`, advice: 'Its device was removed before it was due, or the step is on its way.' }
      : { kind: 'wait', text, due, advice: one.push.hold === 'grace' ? 'It leaves if no screen acknowledges the notification by then.' : undefined }
  }
  return inApp(one)
}

const states = { unseen: 'not seen yet', seen: 'seen', read: 'read', gone: 'no longer in the inbox' }
export const state = (name) => states[name] ?? name

/** Whose choice something is. */
export const choice = ({ isOn, chosenBy, choice }) => {
  const by = { person: choice === 'category' ? 'by the person, for the category' : 'by the person', app: 'by default', catalog: 'by the catalog', backend: 'by the backend', device: 'by the device', event: 'by the event' }
  return `${isOn ? 'on' : 'off'} ${by[chosenBy] ?? ''}`.trim()
}
