/** The catalog of the panel's contract, as a copy in this project. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Entry = z.object({
  section: z.string(),
  method: z.string(),
  path: z.string(),
  auth: z.enum(['session', 'session-or-key', 'agent', 'install-token', 'public', 'webhook', 'sse']),
  scope: z.string().nullable(),
  requires: z.string().nullish(),
  raw_body: z.boolean().optional(),
})
export type Entry = z.output<typeof Entry>

const text = readFileSync(join(import.meta.dirname, 'catalog.json'), 'utf8')
export const catalog = z.array(Entry).parse(JSON.parse(text))

/** The catalog writes `{id}`, a route `:id`. */
const lineOf = ({ method, path }: Pick<Entry, 'method' | 'path'>) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
export const byLine: ReadonlyMap<string, Entry> = new Map(catalog.map((entry) => [lineOf(entry), entry]))

/** Every service has these routes; `readiness` and `documented` add them. */
export const HEALTH: readonly string[] = ['GET /api/health', 'GET /api/health/ready']
