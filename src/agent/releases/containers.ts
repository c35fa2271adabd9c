/** Containers of releases on the engine. */
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { LABELS } from '../../tasks/labels.ts'
import { GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { Labels } from '../engine/owners.ts'
import { TaskFailure } from '../performer.ts'

/** The engine removes it already. */
const CONFLICT = 409
const LOOK_MS = 100
const LOOKS_MAX = 100
const NOT_MODIFIED = 304

const Listed = z.array(z.object({ Id: z.string(), Labels, ImageID: z.string() }))
export type Listed = z.output<typeof Listed>[number]

const Seen = z.object({
  Id: z.string(),
  Name: z.string(),
  Image: z.string(),
  Config: z.object({ Labels, Env: z.array(z.string()).nullish() }),
  State: z.object({
    Status: z.string(),
    Running: z.boolean(),
    OOMKilled: z.boolean(),
    ExitCode: z.int(),
    StartedAt: z.string(),
    Health: z.object({ Status: z.string() }).nullish(),
  }),
  RestartCount: z.int(),
  NetworkSettings: z.object({
    Networks: z.record(
      z.string(),
      z.object({ IPAMConfig: z.object({ IPv4Address: z.string().optional() }).nullish() }),
    ),
  }),
})
export type Seen = z.output<typeof Seen>

/** Those with all of the labels, running or not. */
export async function containersWith(ask: AskEngine, labels: Readonly<Record<string, string>>): Promise<Listed[]> {
  const filters = JSON.stringify({ label: Object.entries(labels).map(([name, value]) => `${name}=${value}`) })
  return Listed.parse((await ask('GET', `/containers/json?all=true&filters=${encodeURIComponent(filters)}`)).body)
}

/** @returns undefined if it is gone */
export async function look(ask: AskEngine, idOrName: string): Promise<Seen | undefined> {
  const { status, body } = await ask('GET', `/containers/${idOrName}/json`, [GONE])
  return status === GONE ? undefined : Seen.parse(body)
}

/** With its volumes that have no name. Resolves when it is gone. */
export async function removeContainer(ask: AskEngine, id: string): Promise<void> {
  const { status } = await ask('DELETE', `/containers/${id}?force=true&v=true`, [GONE, CONFLICT])
  if (status !== CONFLICT) return
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    if (!(await look(ask, id))) return
    await pause(LOOK_MS)
  }
  throw new TaskFailure('ENGINE_REFUSED', 'The engine does not remove a container')
}

export async function stopContainer(ask: AskEngine, id: string, seconds: number): Promise<void> {
  await ask('POST', `/containers/${id}/stop?t=${seconds}`, [GONE, NOT_MODIFIED])
}

/**
 * `always`: `unless-stopped` does not bring containers back after an engine that has crashed, since the next one stops what
 * it finds (measured with 20.10.24). So one that is to stay stopped needs `no`.
 */
export async function setRestart(ask: AskEngine, id: string, policy: 'always' | 'no'): Promise<void> {
  await ask('POST', `/containers/${id}/update`, [GONE], { RestartPolicy: { Name: policy } })
}

/** In words for the log of a task. */
export const nameIn = (labels: Labels): string =>
  `${labels?.[LABELS.service] ?? '?'} ${labels?.[LABELS.replica] ?? '?'}`
