/**
 * A real KurrentDB for tests, where one is available: a given server, or a container where Docker runs and
 * may pull.
 */
import { GenericContainer, Wait } from 'testcontainers'

/** The first minor version that appends to several streams with checks. */
const IMAGE = 'kurrentplatform/kurrentdb:26.1.2'
const PORT = 2113
const STARTS_WITHIN_MS = 180_000

export interface KurrentServer {
  readonly url: string
  /** A description for people. */
  readonly what: string
  stop(): Promise<unknown>
}

/** @returns the reason if none is available. DAYBOOK_TEST_EVENT_STORE_URL names an empty server. */
export async function kurrentServer(): Promise<KurrentServer | string> {
  const url = process.env['DAYBOOK_TEST_EVENT_STORE_URL']
  if (url) return { url, what: 'the server of DAYBOOK_TEST_EVENT_STORE_URL', stop: async () => {} }
  try {
    const container = await new GenericContainer(IMAGE)
      .withEnvironment({ KURRENTDB_INSECURE: 'true', KURRENTDB_MEM_DB: 'true', KURRENTDB_MAX_APPEND_SIZE: '16777216' })
      .withExposedPorts(PORT)
      .withWaitStrategy(Wait.forHttp('/health/live', PORT).forStatusCodeMatching((status) => status < 300))
      .withStartupTimeout(STARTS_WITHIN_MS)
      .start()
    return {
      url: `kurrentdb://${container.getHost()}:${container.getMappedPort(PORT)}?tls=false`,
      what: IMAGE,
      stop: () => container.stop(),
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
