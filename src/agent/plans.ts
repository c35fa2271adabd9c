/**
 * Plans: desired states of the host. The agent keeps the newest of each kind and acts on it without the panel, after each
 * start too. An older one replaces it only if it names the revision that it replaces: its panel was restored from a backup.
 */
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PlanKind } from '../tasks/kind.ts'
import { planApply, PlanContents } from '../tasks/plan.ts'
import { syncDirectory } from './ndjson-file.ts'
import { performer, TaskFailure } from './performer.ts'
import type { Performer } from './performer.ts'
import { turns } from './turns.ts'

const OWNER_ONLY = 0o600
const OWNER_ONLY_DIRECTORY = 0o700
const END = '.json'

/** Brings the host to what a plan says. It is called again for the same plan, and must then change nothing. */
export interface Planner {
  readonly kind: PlanKind
  apply(body: unknown, signal: AbortSignal): Promise<unknown>
}

/** @throws TaskFailure from `apply` for a failure that callers may see */
export const planner = <Body, Result>(
  kind: PlanKind<Body, Result>,
  apply: (body: Body, signal: AbortSignal) => Promise<Result>,
): Planner => ({ kind, apply: (body, signal) => apply(body as Body, signal) })

export interface Plans {
  /** Performs the task `plan.apply`. */
  readonly performer: Performer
  /** By kind: what the agent acts on, as each beat says. */
  revisions(): Record<string, number>
  /** Acts on what is kept: at the start of the agent. */
  resume(signal: AbortSignal): Promise<void>
}

interface PlansDependencies {
  readonly directory: string
  readonly planners: readonly Planner[]
  /** A plan that cannot be acted on at the start. The panel sees an old state and sends it again. */
  onError(error: unknown, plan: string): void
}

/** @throws Error for a kept plan that cannot be read */
export async function openPlans({ directory, planners, onError }: PlansDependencies): Promise<Plans> {
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY })
  const byName = new Map(planners.map((each) => [each.kind.name, each]))
  const kept = new Map<string, PlanContents>()
  for (const name of await readdir(directory))
    if (name.endsWith(END))
      kept.set(
        name.slice(0, -END.length),
        PlanContents.parse(JSON.parse(await readFile(join(directory, name), 'utf8'))),
      )

  /** One at a time: what the start of the agent acts on, and what the panel sends meanwhile. */
  const inTurn = turns()

  async function act({ kind, apply }: Planner, contents: PlanContents, signal: AbortSignal): Promise<unknown> {
    const body = kind.body.safeParse(contents.body)
    if (!body.success) throw new TaskFailure('AGENT_TOO_OLD', 'The agent does not know this plan: update the agent')
    return apply(body.data, AbortSignal.any([signal, AbortSignal.timeout(kind.runMs)]))
  }

  return {
    performer: performer(planApply, async ({ payload: { plan, version, replaces }, secrets, signal }) => {
      const own = byName.get(plan)
      if (!own || version > own.kind.version)
        throw new TaskFailure('AGENT_TOO_OLD', 'The agent does not know this plan: update the agent')
      const contents = PlanContents.parse(secrets)
      const newest = kept.get(plan)
      if (newest && newest.revision > contents.revision && newest.revision !== replaces)
        throw new TaskFailure('REFUSED_OLDER', `The agent has revision ${newest.revision} of this plan`)
      if (!own.kind.body.safeParse(contents.body).success)
        throw new TaskFailure('AGENT_TOO_OLD', 'The agent does not know this plan: update the agent')
      await keep(join(directory, plan + END), contents)
      kept.set(plan, contents)
      const applied = own.kind.result.safeParse(await inTurn(() => act(own, contents, signal)))
      if (!applied.success) throw new TaskFailure('BAD_RESULT', 'The result does not have the form of its plan')
      return { revision: contents.revision, applied: applied.data as never }
    }),
    revisions: () => Object.fromEntries([...kept].map(([plan, { revision }]) => [plan, revision])),
    async resume(signal) {
      const all = [...kept.keys()].map((plan) =>
        inTurn(async () => {
          const own = byName.get(plan)
          // The newest at its turn.
          if (own) await act(own, kept.get(plan)!, signal)
        }).catch((error: unknown) => onError(error, plan)),
      )
      await Promise.all(all)
    },
  }
}

/** The whole plan or the one before, whatever dies in between. */
async function keep(path: string, contents: PlanContents): Promise<void> {
  const part = `${path}.part`
  const file = await open(part, 'w', OWNER_ONLY)
  try {
    await file.writeFile(JSON.stringify(contents))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, path)
  await syncDirectory(dirname(path))
}
