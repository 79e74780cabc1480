/** The beginning of the server's HTTP addresses: of what `options.url` names, or of the page's own origin. */
export const baseOf = (url, page) => new URL(url || '/', page).href.replace(/^ws/, 'http').replace(/\/(v1\/live)?$/, '')

/** The user that a token names, without a judgement whether it is good; undefined if nothing can be read. */
export const userOf = (token) => {
  try {
    return JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))).sub
  } catch {}
}
