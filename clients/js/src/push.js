import { BelfryError } from './error.js'

/** Where this browser's name as a device is kept. */
const key = 'belfry-device'

/** Web Push for this browser: permission, service worker, registration. */
export const createPush = (env, rest) => {
  const { navigator, localStorage, Notification } = env
  const worker = navigator?.serviceWorker
  const isSupported = worker && Notification && env.PushManager
  const drop = async () => (await (await worker.ready).pushManager.getSubscription())?.unsubscribe()
  const register = (method, part, app, body) =>
    rest(method, `/api/devices/${localStorage[key]}${part}${app ? '?app=' + encodeURIComponent(app) : ''}`, body)

  return {
    /** `unsupported`, `denied`, `on` or `off`. */
    get state() {
      if (!isSupported) return 'unsupported'
      return Notification.permission === 'denied' ? 'denied' : localStorage[key] ? 'on' : 'off'
    },
    /** Asks the person, so the first call has to come from a click; later ones refresh the registration. */
    async enable({ worker: script = '/belfry-sw.js', app } = {}) {
      if (!isSupported) throw new BelfryError('push_unsupported')
      if ((await Notification.requestPermission()) !== 'granted') throw new BelfryError('permission_denied')
      const { applicationServerKey } = (await rest('GET', '/api/push/key')).data
      await worker.register(script)
      const subscribe = async () => (await worker.ready).pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
      // A subscription with the key that the server had before is in the way.
      const subscription = await subscribe().catch(() => drop().then(subscribe))
      localStorage[key] ||= env.crypto.randomUUID()
      return (await register('PUT', '/subscription', app, subscription.toJSON())).data
    },
    async disable({ app } = {}) {
      if (!localStorage?.[key]) return
      await drop()
      await register('DELETE', '', app)
      delete localStorage[key]
    },
  }
}
