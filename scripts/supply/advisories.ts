/**
 * `security/advisories.json`: known faults of packages that a lock holds, read by hand from the database that
 * `source` links to. (`npm audit` asks a registry, and many registries answer nothing.) `asOf` is the date of
 * that database.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { satisfies, validRange } from 'semver'
import { z } from 'zod'
import { LOCKS, lockedIn } from './lock.ts'
import type { Lock, Locked } from './lock.ts'

const FILE = join(import.meta.dirname, '../../security/advisories.json')
const DAY_MS = 86_400_000
/** In days. A release must not rely on an older list. */
const AGE_DAYS_MAX = 30

const advisory = z.strictObject({
  package: z.string(),
  /** The affected versions, as a range of semver. */
  range: z.string().refine((range) => validRange(range) !== null, 'is not a range of versions'),
  id: z.string().regex(/^(GHSA(-[0-9a-z]{4}){3}|CVE-\d{4}-\d{4,})$/),
  source: z.url({ protocol: /^https$/ }),
})

const shape = z.strictObject({
  asOf: z.iso.date(),
  /** Affected packages that stay, with the reason why they do no harm. */
  accepted: z.array(z.strictObject({ lock: z.enum(LOCKS), id: advisory.shape.id, why: z.string().min(20) })),
  advisories: z.array(advisory),
})

export type Advisory = z.output<typeof advisory>
export type Advisories = z.output<typeof shape>

export interface Finding {
  readonly lock: Lock
  readonly path: string
  readonly version: string
  readonly advisory: Advisory
}

/** @throws ZodError if the file does not match its schema */
export const readAdvisories = (): Advisories => shape.parse(JSON.parse(readFileSync(FILE, 'utf8')))

/** Every package of the lock that an advisory is about, accepted or not. */
export const findings = (lock: Lock, locked: readonly Locked[], advisories: readonly Advisory[]): Finding[] =>
  locked.flatMap(({ name, path, version }) =>
    advisories
      .filter((each) => each.package === name && satisfies(version, each.range, { includePrerelease: true }))
      .map((each) => ({ lock, path, version, advisory: each })),
  )

export const isAccepted = ({ lock, advisory: { id } }: Finding, { accepted }: Advisories): boolean =>
  accepted.some((each) => each.lock === lock && each.id === id)

export const isFreshOn = ({ asOf }: Pick<Advisories, 'asOf'>, now: Date): boolean =>
  now.getTime() - Date.parse(asOf) <= AGE_DAYS_MAX * DAY_MS

/** Prints packages with an advisory that is not accepted, and the age of the list. */
export function tellAdvisories(now: Date): { readonly isClean: boolean; readonly isFresh: boolean } {
  const list = readAdvisories()
  const all = LOCKS.flatMap((lock) => findings(lock, lockedIn(lock), list.advisories))
  const bad = all.filter((each) => !isAccepted(each, list))
  for (const { lock, path, version, advisory: found } of bad)
    console.error(`${lock}: ${path} ${version} is affected by ${found.id} (${found.range}): ${found.source}`)
  console.log(`${list.advisories.length} advisories as of ${list.asOf}: ${bad.length} packages are affected.`)
  const isFresh = isFreshOn(list, now)
  if (!isFresh)
    console.warn(
      `!! That is more than ${AGE_DAYS_MAX} days ago: read the advisories of the packages again and set "asOf". A release fails until then.`,
    )
  return { isClean: bad.length === 0, isFresh }
}
