/** Checks whether the host can run what a panel asks of it. */
import { statfs } from 'node:fs/promises'
import { z } from 'zod'
import { hostSetup } from '../../tasks/host.ts'
import type { HOST_CHECKS } from '../../tasks/host.ts'
import type { EngineCall } from '../engine-call.ts'
import { performer } from '../performer.ts'
import type { Performer } from '../performer.ts'
import type { FoundEngine, HostEngine } from './engine.ts'

const GIB = 1_024 ** 3
/** Of the agent's own files. */
const OWN_BYTES_MIN = GIB
/** An image and what it writes. */
const DATA_BYTES_MIN = 5 * GIB
/** Tokens and envelopes expire by the time of the panel. */
const AHEAD_MS_MAX = 5_000

/** What agents work on. */
export interface AgentHost extends HostEngine {
  /** Of the agent. */
  readonly directory: string
}

interface Check {
  readonly name: (typeof HOST_CHECKS)[number]
  readonly ok: boolean
  readonly detail: string
}

const Info = z.object({ DockerRootDir: z.string() })

export const setupPerformer = ({ call, look, directory }: AgentHost): Performer =>
  performer(hostSetup, async ({ signal, say, panelNow }) => {
    const checks = [
      engineCheck(await look()),
      await roomCheck('DISK', directory, OWN_BYTES_MIN),
      await dataRootCheck(call, signal),
      clockCheck(Date.now() - panelNow().getTime()),
    ]
    for (const { name, ok, detail } of checks) await say(`${name}: ${ok ? 'ok' : 'not ok'}: ${detail}`, 'STEP')
    return { checks }
  })

export function engineCheck(found: FoundEngine): Check {
  if ('info' in found)
    return { name: 'ENGINE', ok: true, detail: `Docker ${found.info.version}, API ${found.info.api}` }
  const { message, remedy } = found.problem
  return { name: 'ENGINE', ok: false, detail: `${message}. ${remedy}.` }
}

async function dataRootCheck(call: EngineCall, signal: AbortSignal): Promise<Check> {
  try {
    const { DockerRootDir: root } = Info.parse((await call('GET', '/info', signal)).body)
    return await roomCheck('DATA_ROOT', root, DATA_BYTES_MIN)
  } catch {
    signal.throwIfAborted()
    return { name: 'DATA_ROOT', ok: false, detail: 'The directory of the container engine is not known' }
  }
}

export async function roomCheck(name: 'DISK' | 'DATA_ROOT', path: string, bytesMin: number): Promise<Check> {
  const found = await statfs(path).catch(() => undefined)
  if (!found) return { name, ok: false, detail: `The agent cannot see ${path}` }
  const [free, all] = [found.bavail * found.bsize, found.blocks * found.bsize]
  return { name, ok: free >= bytesMin, detail: `${gib(free)} of ${gib(all)} GiB are free in ${path}` }
}

const gib = (bytes: number): string => (bytes / GIB).toFixed(1)

/** @param aheadMs how far the host's clock is from the panel's */
export function clockCheck(aheadMs: number): Check {
  const ok = Math.abs(aheadMs) <= AHEAD_MS_MAX
  const detail = `The clock is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the panel's`
  return { name: 'CLOCK', ok, detail: ok ? detail : `${detail}. Set it by NTP.` }
}
