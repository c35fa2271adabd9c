/** The secret of a mailed link stands behind `#token=`, which is sent to no server; it leaves the address bar at once. */

/** React may begin a page more than once, and the address tells it once. */
let taken: { readonly path: string; readonly token: string } | undefined

export function takeFragmentToken(): string | undefined {
  const { hash, pathname, search } = location
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? undefined
  if (token !== undefined) {
    taken = { path: pathname, token }
    history.replaceState(null, '', pathname + search)
  }
  return taken?.path === pathname ? taken.token : undefined
}
