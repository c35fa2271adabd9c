/** Whether a secret or restricted key of Stripe charges real cards. In a file of its own: Stripe's package is loaded only where it is used. */
export const isLiveKey = (key: string): boolean => /^(?:sk|rk)_live_/.test(key)
