import { connect } from '../belfry.js'
import { BelfryBell, provide } from '../elements.js'
import { BelfryPreferences } from '../preferences.js'

// Checked by `make client-tests`, never run.

const inbox = connect({ token: () => 'token' })
provide(inbox)
const list = document.createElement('belfry-inbox')
list.inbox = inbox
list.labels = { title: 'Mitteilungen', morePictures: (count) => `und ${count} weitere` }
list.renderItem = ({ displayText }, node) => void (node.textContent = displayText)
list.linkOf = ({ deepLink }) => deepLink?.type === 'room' && `/rooms/${deepLink.roomId}`
list.addEventListener('belfry-activate', (event) => {
  if (event.detail.action === 'follow') event.preventDefault()
})
// @ts-expect-error: there is no such property.
list.items = []

const bell: BelfryBell = document.createElement('belfry-bell')
if (!bell.isOpen) bell.open()
const preferences: BelfryPreferences = document.createElement('belfry-preferences')
preferences.subjectName = (subject) => subject.slice(6)
