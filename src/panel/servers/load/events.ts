/** What is reserved on a server: whatever leaves a container, a volume or a file there is a workload. */
import { z } from 'zod'
import { eventsAbout, stream } from '#kernel/events/event'

/** What a workload reserves of its server. */
export const reservedFields = {
  cpuMillis: z.int().min(0),
  memoryMiB: z.int().min(0),
  diskMiB: z.int().min(0),
}
const workload = z.object({
  /** Such as REGISTRY. Free text, because kinds of later releases must stay readable. An index holds it. */
  kind: z.string().max(100),
  id: z.uuid(),
})
/** Null: it belongs to the installation. */
const projectId = z.uuid().nullable()

type Reserved = z.output<z.ZodObject<typeof reservedFields>>
const listed = ({ cpuMillis, memoryMiB, diskMiB }: Reserved): string =>
  `${cpuMillis} CPU millis, ${memoryMiB} MiB of memory, ${diskMiB} MiB of disk`

const events = eventsAbout({ serverId: z.uuid() })({
  WorkloadPlaced: {
    fields: { workload, projectId, ...reservedFields },
    sentence: ({ serverId, workload: { kind, id }, ...reserved }) =>
      `placed ${kind} ${id} on server ${serverId}: ${listed(reserved)}`,
  },
  WorkloadResized: {
    fields: { workload, ...reservedFields },
    sentence: ({ serverId, workload: { kind, id }, ...reserved }) =>
      `resized ${kind} ${id} on server ${serverId}: ${listed(reserved)}`,
  },
  WorkloadLifted: {
    fields: { workload, projectId },
    sentence: ({ serverId, workload: { kind, id } }) => `lifted ${kind} ${id} from server ${serverId}`,
  },
})

/** One stream for each server: the sums of what is reserved stay within its quota. */
export const serverLoadEvents = stream('serverLoad', events)
