/** What an application knows of the data that is copied for it: a part of its decider. */
import type { DataOf, EventOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { aboutOf } from '../about/events.ts'
import { dataEvents } from './events.ts'
import type { DataCopy } from './events.ts'

type Changed = DataOf<typeof dataEvents.ApplicationDataCopyChanged>

export interface WithData {
  /** Null: it has no volumes of another application. */
  readonly dataCopy: DataCopy | null
}

interface Known extends WithData {
  readonly id: string
  readonly projectId: string
  readonly environmentId: string
}

/** @throws Rejection 409 DATA_COPYING */
export function mustHaveItsData({ dataCopy }: WithData): void {
  if (dataCopy?.state === 'RUNNING')
    reject('conflict', 'The volumes of the application are being copied: wait for their end', 'DATA_COPYING')
}

export const dataEvolve = {
  ApplicationDataCopyChanged: <A extends WithData>(
    application: A | undefined,
    { applicationId: _a, projectId: _p, environmentId: _e, ...dataCopy }: Changed,
  ): A => ({ ...application!, dataCopy }),
}

type DataEvent = EventOf<typeof dataEvents.ApplicationDataCopyChanged>

const changed = (known: Known, dataCopy: DataCopy): DataEvent =>
  dataEvents.ApplicationDataCopyChanged({ ...aboutOf(known), ...dataCopy })

export const dataCommands = {
  CopyData: (application: Known | undefined, ask: Pick<DataCopy, 'fromId' | 'taskId' | 'volumes'>): DataEvent[] => [
    changed(found(application), { ...ask, state: 'RUNNING', bytes: null, code: null }),
  ],
  /** Of its task alone, and once. */
  NoteDataCopy: (
    application: Known | undefined,
    { taskId, ...end }: Pick<DataCopy, 'taskId' | 'state' | 'bytes' | 'code'>,
  ): DataEvent[] => {
    const known = application?.dataCopy
    if (known?.taskId !== taskId || known.state !== 'RUNNING') return []
    return [changed(application!, { ...known, ...end })]
  },
}
