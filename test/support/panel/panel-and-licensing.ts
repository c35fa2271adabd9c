/** A panel and a licensing service of one test, both over real HTTP, each with its own clock. */
import { expect } from 'vitest'
import { startService } from '#test/support/licensing/service'
import { secretOf } from '../../../src/license-client/license-api.ts'
import { startPanel } from './service.ts'
import type { StartOptions } from './service.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

type Network = (url: URL, init: RequestInit | undefined) => Promise<Response>

/** Call at the top level of a test file: it registers its clean-up. */
export async function startPanelAndLicensing(
  given: StartOptions & { readonly firstKey?: string } = {},
  ofService: Parameters<typeof startService>[0] = {},
) {
  const service = await startService(ofService)
  const { body } = await service.call('GET', '/api/admin/settings/signing-keys', { as: await service.staff() })
  /** The panel requests the public address; the test redirects it to its own port. */
  const direct: Network = ({ pathname, search }, init) => fetch(service.url + pathname + search, init)
  const network: { by: Network; asked: number; askedForVersions: number } = {
    by: direct,
    asked: 0,
    askedForVersions: 0,
  }
  const license = {
    serviceUrl: service.settings.baseUrl,
    root: body.root.publicJwk,
    host: async () => ({ machine: 'panel', cpu: 'test x2' }),
    fetch: (async (url, init) => {
      const asked = new URL(url instanceof Request ? url.url : url)
      if (asked.pathname.endsWith('/versions')) network.askedForVersions += 1
      else network.asked += 1
      return network.by(asked, init)
    }) as typeof fetch,
  }
  const panel = await startPanel({ ...given, license })

  const ask = async (method: string, path: string, body?: object) => {
    const reply = await service.call(method, path, { as: await service.staff(), ...(body ? { body } : {}) })
    expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(300)
    return reply.body
  }

  let orders = 0
  async function sold(planSlug: string, more: object = {}) {
    orders += 1
    const order = { email: `customer-${orders}@customer.test`, planSlug, reference: `order-${orders}`, ...more }
    const { licenseKey, subscription } = await ask('POST', '/api/admin/provisioning', order)
    const { keyId } = secretOf(licenseKey)
    const { items } = await ask('GET', `/api/admin/licenses?keyId=${keyId}`)
    return { licenseKey: licenseKey as string, keyId, id: items[0].id as string, subscription }
  }

  return {
    service,
    panel,
    ask,
    sold,
    /** Counts the panel's requests to the service: those for versions, and all others. */
    network,
    comeBack: () => void (network.by = direct),
    goAway: () => void (network.by = () => Promise.reject(new TypeError('fetch failed'))),
  }
}
