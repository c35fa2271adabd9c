/** Only in development: loads the page again when the service serves another one. */
const ASKED_AGAIN_MS = 500

async function tag(): Promise<string | null> {
  try {
    const { headers } = await fetch(location.pathname, { method: 'HEAD', headers: { accept: 'text/html' } })
    return headers.get('etag')
  } catch {
    // The service is being started.
    return null
  }
}

let shown: string | null = null
setInterval(async () => {
  const now = await tag()
  if (shown !== null && now !== null && now !== shown) location.reload()
  shown = now ?? shown
}, ASKED_AGAIN_MS)
