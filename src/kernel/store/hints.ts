/**
 * Hints between the processes of a service: something has changed that no event says, under a key that those who wait
 * for it know. A hint may be lost with a connection, so who waits looks again after some time.
 */
import pg from 'pg'
import type { Pool, PoolConfig } from 'pg'

const CHANNEL = 'daybook_hint'
/** Also for a statement that changes what the hint is about. */
export const HINT = (parameter: string): string => `pg_notify('${CHANNEL}', ${parameter})`
const RETRY_MS = 500

export interface Hints {
  /** Resolves when the other processes are told. */
  tell(key: string): Promise<void>
  /**
   * Follows the hints of all processes, this one included, on a connection of its own.
   * @returns a function that ends it
   */
  follow(onHint: (key: string) => void): () => void
}

/** @param pool its statements tell, and its configuration connects */
export const postgresHints = (pool: Pool): Hints => ({
  tell: async (key) => void (await pool.query(`SELECT ${HINT('$1')}`, [key])),
  follow(onHint) {
    const stop = new AbortController()
    void followUntil(stop.signal, pool.options, onHint)
    return () => stop.abort()
  },
})

async function followUntil(signal: AbortSignal, config: PoolConfig, onHint: (key: string) => void): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client(config)
    const end = () => void client.end().catch(() => {})
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
    client.on('error', end)
    client.on('notification', ({ payload = '' }) => onHint(payload))
    signal.addEventListener('abort', end)
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
      await ended
    } catch {
      end()
    }
    signal.removeEventListener('abort', end)
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
  }
}
