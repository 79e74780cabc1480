const signs = ['visibilitychange', 'focus', 'blur', 'freeze', 'resume', 'pageshow', 'online']

/**
 * Watches whether somebody looks at this page, and returns what tells it.
 *
 * @param env where `document` and `addEventListener` are, if anywhere
 * @param choice `auto`, or the app's own function
 * @param signal ends it
 * @param changed called when it has changed
 * @param woke called with each sign and whether the page is visible: timers may have stood still before
 */
export const watchAttention = (env, choice, signal, changed, woke) => {
  const { document } = env
  const isVisible = () => document?.visibilityState === 'visible'
  const look = () => (choice?.call ? !!choice() : isVisible() && document.hasFocus())
  let isLooking = look()
  const check = ({ type }) => {
    if (isLooking !== look()) {
      isLooking = !isLooking
      changed()
    }
    woke(type, isVisible())
  }
  // Those that belong to the document pass the window on their way to it.
  if (document) for (const sign of signs) env.addEventListener(sign, check, { capture: true, signal })
  return () => isLooking
}
