import { getAdminQuotasServersById, patchAdminQuotasServersById } from '#api-client/panel/quotas'
import type { ServerCapacity } from '#api-client/panel/schemas'
import { Action } from '../../kit/action.tsx'
import { gibibytes } from '../../kit/bytes.ts'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { useAnswerIf } from '../../session/context.tsx'
import { cpus, useLoads } from './load.tsx'
import type { WholeServer } from './server-page.tsx'

/** What is reserved on a server, and how much may be. For those who may read quotas. */
export function ServerQuota({ server: { id, capacity } }: { readonly server: WholeServer }) {
  const input = { params: { id } }
  const { data } = useAnswerIf(true, getAdminQuotasServersById, input)
  const reserved = useLoads().get(id)?.reserved
  if (!data) return null
  const { inEffect, ...own } = data
  const mostOf = (name: keyof typeof own, text: (amount: number) => string): string => {
    const most = inEffect[name] === null ? 'no limit' : `at most ${text(inEffect[name])}`
    return `${most}${own[name] === null ? ' (default)' : ''}`
  }
  const line = (name: keyof ServerCapacity['reserved'], text: (amount: number) => string): string => {
    if (own[name] === null && capacity === null) return 'follows from the host, once its agent has registered'
    const most = mostOf(name, text)
    return reserved ? `${text(reserved[name])} reserved, ${most}` : most
  }
  return (
    <Part
      title="Quota"
      actions={
        <Action
          key={JSON.stringify(own)}
          operation={patchAdminQuotasServersById}
          input={input}
          initial={own}
          label="Change the quota"
          labels={LABELS}
          about={<p>An empty field stands for the default, which comes from the host. What is placed stays.</p>}
          done="The quota is changed"
        />
      }
    >
      <Facts>
        <Fact label="Workloads">{line('workloads', String)}</Fact>
        <Fact label="CPU">{line('cpuMillis', cpus)}</Fact>
        <Fact label="Memory">{line('memoryMiB', gibibytes)}</Fact>
        <Fact label="Disk">{line('diskMiB', gibibytes)}</Fact>
        <Fact label="Builds at the same time">{mostOf('builds', String)}</Fact>
      </Facts>
    </Part>
  )
}

const LABELS = {
  cpuMillis: 'Thousandths of a CPU',
  memoryMiB: 'Memory in MiB',
  diskMiB: 'Disk in MiB',
  builds: 'Builds at the same time',
}
