/** Where the containers of a release are, as the engine says. */
import { z } from 'zod'
import { LABELS } from '../../tasks/labels.ts'
import type { EngineCall } from '../engine-call.ts'
import { askEngine } from '../engine/ask-engine.ts'
import { Labels } from '../engine/owners.ts'

const Containers = z.array(
  z.object({
    Labels,
    NetworkSettings: z.object({
      Networks: z.record(z.string(), z.object({ NetworkID: z.string(), IPAddress: z.string() })).nullish(),
    }),
  }),
)
const Networks = z.array(z.object({ Id: z.string(), Labels }))

export interface TargetsAsked {
  readonly installation: string
  readonly release: string
  readonly service: string
}

/** The IPv4 addresses of the containers that run. @throws TaskFailure ENGINE_DOWN */
export type TargetsOf = (asked: TargetsAsked, signal: AbortSignal) => Promise<string[]>

export const targetsOn =
  (call: EngineCall): TargetsOf =>
  async ({ installation, release, service }, signal) => {
    const ask = askEngine(call, signal)
    const list = async (what: string, labels: Readonly<Record<string, string>>) => {
      const label = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
      return (await ask('GET', `/${what}?filters=${encodeURIComponent(JSON.stringify({ label }))}`)).body
    }
    const own = { [LABELS.installation]: installation }
    const containers = Containers.parse(
      await list('containers/json', { ...own, [LABELS.deployment]: release, [LABELS.service]: service }),
    )
    if (containers.length === 0) return []
    const networks = Networks.parse(await list('networks', own))
    const environments = new Map(networks.map(({ Id, Labels: labels }) => [Id, labels?.[LABELS.environment]]))
    return containers
      .flatMap(({ Labels: labels, NetworkSettings }) => {
        const all = Object.values(NetworkSettings.Networks ?? {}).filter(({ IPAddress }) => IPAddress !== '')
        const environment = labels?.[LABELS.environment]
        return (
          all.find(({ NetworkID }) => environment !== undefined && environments.get(NetworkID) === environment)
            ?.IPAddress ?? []
        )
      })
      .toSorted()
  }
