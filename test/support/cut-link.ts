/** A TCP link between two processes that can be cut. */
import { forward } from './forward.ts'
import type { Forward } from './forward.ts'

const LOOPBACK = '127.0.0.1'

/** Between an agent and its panel. */
export interface Link extends Pick<Forward, 'cut' | 'mend' | 'close'> {
  /** Of the panel, as the agent calls it. */
  readonly url: string
  /** The address at which the panel listens. */
  readonly host: string
  /** What a program of the agent's host is started with. */
  readonly within: readonly string[]
}

/** Cut, it resets all connections and those that are new. */
export async function cutLink(toPort: number): Promise<Link> {
  const link = await forward({ host: LOOPBACK, port: 0 }, { host: LOOPBACK, port: toPort })
  return { ...link, url: `http://${LOOPBACK}:${link.port}`, host: LOOPBACK, within: [] }
}
