/** The containers of a workload on this host, by their labels. */
import { z } from 'zod'
import { isUuid } from '#kernel/lib/uuid'
import { shortIdOf, UNNAMED_SERVICE } from '../../tasks/applications.ts'
import type { logsFollow } from '../../tasks/applications.ts'
import { LABELS } from '../../tasks/labels.ts'
import type { EngineCall } from '../engine-call.ts'
import { Labels } from '../engine/owners.ts'
import { readList } from '../engine/read-list.ts'
import { TaskFailure } from '../performer.ts'

const SERVICE_CHARACTERS_MAX = 100
const Listed = z.array(z.object({ Id: z.string(), State: z.string(), Labels }))

/** Of an inspected container. */
const Inspected = z.object({
  State: z.object({ Running: z.boolean(), StartedAt: z.string() }),
  Config: z.object({ Env: z.array(z.string()).nullish(), Labels }),
})
export type Inspected = z.output<typeof Inspected>

export interface WorkloadContainer {
  readonly id: string
  readonly shortId: string
  readonly service: string
  readonly replica: number
  readonly deploymentId: string | null
  readonly isRunning: boolean
}

type WorkloadQuery = Omit<z.output<typeof logsFollow.params>, 'secretNames'>

/** Running or not, by service and replica. @throws TaskFailure */
export async function containersOf(
  call: EngineCall,
  { installation, workload, service, deploymentId }: WorkloadQuery,
  signal: AbortSignal,
): Promise<WorkloadContainer[]> {
  const labels = {
    [LABELS.installation]: installation,
    [LABELS.workload]: `${workload.kind}/${workload.id}`,
    ...(service !== null && { [LABELS.service]: service }),
    ...(deploymentId !== null && { [LABELS.deployment]: deploymentId }),
  }
  const filters = JSON.stringify({ label: Object.entries(labels).map(([name, value]) => `${name}=${value}`) })
  const listed = await readList(
    call,
    `/containers/json?all=true&filters=${encodeURIComponent(filters)}`,
    Listed,
    signal,
  )
  return listed
    .map(({ Id: id, State, Labels: of }) => ({
      id,
      shortId: shortIdOf(id),
      service: (of?.[LABELS.service] ?? UNNAMED_SERVICE).slice(0, SERVICE_CHARACTERS_MAX),
      replica: numberOf(of?.[LABELS.replica]),
      deploymentId: deploymentOf(of),
      isRunning: State === 'running',
    }))
    .toSorted((one, other) => one.service.localeCompare(other.service) || one.replica - other.replica)
}

const numberOf = (text: string | undefined): number => Math.max(1, Number.parseInt(text ?? '1', 10) || 1)

function deploymentOf(labels: Labels): string | null {
  const id = labels?.[LABELS.deployment]
  return id !== undefined && isUuid(id) ? id : null
}

/** @returns undefined if it is gone @throws TaskFailure */
export async function inspected(call: EngineCall, id: string, signal: AbortSignal): Promise<Inspected | undefined> {
  const { status, body } = await call('GET', `/containers/${id}/json`, signal)
  if (status === 404) return undefined
  const parsed = Inspected.safeParse(body)
  if (status !== 200 || !parsed.success)
    throw new TaskFailure('ENGINE_REFUSED', 'The container engine did not tell of a container')
  return parsed.data
}
