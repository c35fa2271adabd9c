/** The secret of a mailed link stands behind `#token=`, which is sent to no server; it leaves the address bar at once. */

export function takeFragmentToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return token
}
