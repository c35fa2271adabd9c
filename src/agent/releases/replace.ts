/** Ends one release and begins the next one, while requests wait at the proxy. */
import type { z } from 'zod'
import { releaseReplace } from '../../tasks/release-replace.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import { performer } from '../performer.ts'
import type { Performer, Work } from '../performer.ts'
import { containersWith, setRestart } from './containers.ts'
import type { ReleaseHost } from './host.ts'
import type { Drained } from './proxy-switch.ts'
import { removeDeployment, startRelease } from './start.ts'
import { labelsOfDeployment } from './template.ts'
import { variableValues } from './variable-values.ts'

const BACK_MS = 120_000
/** It runs, or does not run, as it is asked. */
const NOT_MODIFIED = 304
const NO_DRAIN: Drained = { drainedMs: 0, cut: 0 }

type Replace = z.output<typeof releaseReplace.payload>

export const replacePerformer = (host: ReleaseHost): Performer =>
  performer(
    releaseReplace,
    async (work) => {
      const { payload } = work
      try {
        work.signal.throwIfAborted()
        const drained = await stopOld(host, work)
        // From here on a cancel changes nothing: half a swap serves no request.
        const signal = AbortSignal.timeout(releaseReplace.runMs(payload))
        const { containers } = await startRelease(host, { ...work, payload, signal })
        await host.proxy.put({ ...payload.fragment, release: payload.deploymentId }, signal)
        return { containers, ...drained }
      } catch (error) {
        // What has failed first is the reason.
        await takeBack(host, payload, work.say).catch(() => {})
        throw error
      }
    },
    { redacts: variableValues },
  )

/** @returns the ids of its containers */
async function oldContainers(host: ReleaseHost, payload: Replace, signal: AbortSignal): Promise<string[]> {
  const { replaces } = payload
  if (replaces === null) return []
  const labels = labelsOfDeployment({ ...payload, deploymentId: replaces })
  return (await containersWith(askEngine(host.call, signal), labels)).map(({ Id }) => Id)
}

async function stopOld(host: ReleaseHost, { payload, signal, say }: Work<Replace>): Promise<Drained> {
  const { workload, replaces, drainSeconds } = payload
  const old = await oldContainers(host, payload, signal)
  await host.proxy.hold(workload)
  if (replaces === null || old.length === 0) return NO_DRAIN
  await say('New requests wait', 'STEP')
  const drained = await host.proxy.drained({ release: replaces, seconds: drainSeconds, signal })
  signal.throwIfAborted()
  const ask = askEngine(host.call, AbortSignal.timeout(releaseReplace.runMs(payload)))
  // Each has its own time to stop.
  await Promise.all(
    old.map(async (id) => {
      await setRestart(ask, id, 'no')
      await ask('POST', `/containers/${id}/stop`, [GONE, NOT_MODIFIED])
    }),
  )
  await say(`The old release has stopped: ${drained.cut} connections were cut`, 'STEP')
  return drained
}

async function takeBack(host: ReleaseHost, payload: Replace, say: Work<Replace>['say']): Promise<void> {
  const signal = AbortSignal.timeout(BACK_MS)
  await removeDeployment(host, payload)
  const ask = askEngine(host.call, signal)
  const old = await oldContainers(host, payload, signal)
  await Promise.all(
    old.map(async (id) => {
      await ask('POST', `/containers/${id}/start`, [GONE, NOT_MODIFIED])
      await setRestart(ask, id, 'always')
    }),
  )
  // What the proxy has taken last may lead to the containers that are gone.
  const { fragment, replaces } = payload
  await host.proxy.resume(payload.workload, signal).catch((error: unknown) => {
    if (old.length === 0) throw error
    return host.proxy.put({ ...fragment, release: replaces }, signal)
  })
  if (old.length > 0) await say('The old release runs again', 'STEP')
}
