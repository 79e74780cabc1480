import { connect } from '../../belfry.js'

const connections = {}

/**
 * The client for a server and an address that gives tokens; elements that name the same share one. By default the
 * server is the origin of this module.
 */
export const connectionOf = (server, tokenUrl) =>
  (connections[`${server} ${tokenUrl}`] ??= connect({ url: server || new URL(import.meta.url).origin, token: tokensOf(tokenUrl) }))

/** Asks for tokens as `?reason=`: the answer is the token as text, or 401 if nobody is signed in. */
const tokensOf = (tokenUrl) => async ({ reason }) => {
  const address = new URL(tokenUrl, document.baseURI)
  address.searchParams.set('reason', reason)
  const answer = await fetch(address)
  if (answer.status === 401) return null
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  return (await answer.text()).trim()
}
