import { BelfryError } from './error.js'

/**
 * The page's part of Web Push: the permission, and requests to the service worker, which does the rest.
 *
 * @param tokenFor gives the token with which the worker registers this browser at `base`
 * @param clicked called with the detail of a click on a push, until `signal` ends it
 */
export const createPush = (env, base, tokenFor, clicked, signal) => {
  const { Notification } = env
  let worker
  try {
    worker = env.PushManager && env.navigator.serviceWorker
  } catch {
    // There is none in Node, and a frame without an origin may not even ask.
  }
  worker?.addEventListener('message', ({ data }) => data?.belfry && clicked(data.belfry), { signal })
  const ask = async (method, app) => {
    const { port1, port2 } = new env.MessageChannel()
    const question = { method, app, base, token: await tokenFor() }
    ;(await worker.ready).active.postMessage({ belfry: question }, [port2])
    const [result, ...error] = await new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)))
    if (error[0]) throw new BelfryError(...error)
    return result
  }

  /** `unsupported`, `denied`, `on` or `off`. */
  const state = async () => {
    if (!worker) return 'unsupported'
    if (Notification.permission === 'denied') return 'denied'
    return (await (await worker.getRegistration())?.pushManager.getSubscription()) ? 'on' : 'off'
  }

  return {
    state,
    /** Asks the person, so the first call has to come from a click; later ones refresh the registration. */
    async enable({ worker: script = '/belfry-sw.js', app } = {}) {
      if ((await (worker && Notification.requestPermission())) !== 'granted') throw new BelfryError('permission_denied')
      await worker.register(script)
      return ask('PUT', app)
    },
    disable: async ({ app } = {}) => (await state()) === 'on' && ask('DELETE', app),
  }
}
