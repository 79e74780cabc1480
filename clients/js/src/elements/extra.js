/** Calls a function of `extras.js`, which most pages never need: it is loaded when it is called for the first time. */
export const extra = async (name, ...values) => (await import('../../extras.js'))[name](...values)
