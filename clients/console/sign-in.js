// Logging in by a provider: why it failed, and the page on which somebody was.

const again = 'Sign in once more.'
/** What the server's reasons mean for the person; those of docs/console.md. */
const sentences = {
  unknown_login: () => `This login has taken more than ten minutes, or was used already. ${again}`,
  other_browser: () => `This login was begun in another browser or another tab. ${again}`,
  wrong_issuer: () => 'The answer came from another provider than the one that was asked.',
  incomplete_answer: () => `The provider’s answer has no code. ${again}`,
  refused: (code) => `The provider did not sign you in: ${code}.`,
  code_refused: (code) => `The provider refused the code: ${code}.`,
  provider_away: () => 'The provider does not answer. Try again later.',
  provider_fault: () => 'The provider’s answer cannot be understood. The server’s log has the reason.',
  token_refused: (code) => `The provider’s token was not accepted: ${code}.`,
  keys_pending: () => 'The provider’s keys are being fetched. Sign in again in half a minute.',
  not_allowed: () => 'The provider knows you, but you are not on the list of those who may use this console.',
  email_not_verified: () => 'You are on the list, but the provider has not verified that the e-mail address is yours.',
  no_name: () => 'The provider’s token has no name for the audit log.',
  too_many: () => 'Too many logins have begun. Try again in ten seconds.',
  no_secret: () => 'The file with the client’s secret cannot be read. The server’s log has the reason.',
}

/** Why the last login failed, as the address has it; it is removed there. */
export const refusal = () => {
  const query = new URLSearchParams(location.search)
  const reason = query.get('refused')
  if (!reason) return undefined
  history.replaceState(null, '', location.pathname + location.hash)
  // Anybody can make such an address: nothing of it but a short code is shown.
  const code = /^[a-z0-9_-]{1,40}$/.exec(query.get('code') ?? '')?.[0] ?? 'no reason given'
  return (Object.hasOwn(sentences, reason) ? sentences[reason] : () => again)(code)
}

const key = 'belfry-console-place'
/** Remembers the page, to which the login comes back. */
export const keepPlace = () => sessionStorage.setItem(key, location.hash)
/** Goes there, once. */
export const takePlace = () => {
  const place = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  if (place && !location.hash) history.replaceState(null, '', location.pathname + place)
}
