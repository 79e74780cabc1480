/** An absolute address that may stand in `src` or `href`: of http, https, or relative to the page; otherwise undefined. */
export const urlOf = (value, base = document.baseURI) => {
  if (typeof value !== 'string' || !value.trim()) return
  try {
    const { protocol, href } = new URL(value, base)
    if (/^https?:$/.test(protocol)) return href
  } catch {}
}

/** The address that a tap on a notification opens, or its deep link itself. */
export const linkOf = ({ deepLink }) => deepLink?.url ?? deepLink?.href ?? deepLink
