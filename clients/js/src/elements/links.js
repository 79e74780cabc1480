/**
 * An address from a notification that a page may open or load: absolute with `http` or `https`, or relative to the page.
 * Undefined for anything else, such as `javascript:`.
 */
export const safeURL = (text, base) => {
  try {
    const url = new URL(text, base)
    if (typeof text === 'string' && /^https?:$/.test(url.protocol)) return url.href
  } catch {}
}
