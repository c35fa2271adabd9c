/** A build by BuildKit. Its secrets and logins come by a session, and it ends at once when it is cancelled. */
import { randomUUID } from 'node:crypto'
import type { BuildSecrets } from '../../tasks/builds.ts'
import type { BuildContext } from './context.ts'
import { buildByEngine } from './engine-build.ts'
import type { BuildHost, BuildWork } from './engine-build.ts'
import { openSession } from './session.ts'
import { buildTraces } from './traces.ts'

const TRACE = 'moby.buildkit.trace'
const CANCEL_MS = 1_500

/** @returns how many of its steps were cached */
export async function buildByBuildKit(
  host: BuildHost,
  work: BuildWork,
  secrets: BuildSecrets,
  context: BuildContext,
): Promise<number> {
  const { payload, signal } = work
  const id = randomUUID()
  const stop = new AbortController()
  const cancel = () =>
    void host
      .call('POST', `/build/cancel?id=${id}`, AbortSignal.timeout(CANCEL_MS))
      .catch(() => {})
      .finally(() => stop.abort(signal.reason))
  signal.throwIfAborted()
  const session = await openSession(host.upgrade, id, secrets, signal)
  const traces = buildTraces(work)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const builder = {
      query: { version: '2', session: session.id, buildid: id },
      headers: {},
      // Directories that steps keep between builds belong to the workload. Source: build arguments of BuildKit.
      args: { BUILDKIT_CACHE_MOUNT_NS: `${payload.workload.kind}-${payload.workload.id}` },
      hear: async (told: { readonly id?: string | undefined; readonly aux?: unknown }) => {
        if (told.id === TRACE && typeof told.aux === 'string') await traces.hear(told.aux)
      },
    }
    await buildByEngine(host, work, secrets, context, builder, stop.signal)
    signal.throwIfAborted()
    return traces.cachedSteps()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    session.close()
    await traces.end()
  }
}
