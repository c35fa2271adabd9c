/** What an application says, as it happens: a stream that goes on where it was, also after a pause. */
import { useEffect, useRef, useState } from 'react'
import { getApplicationsByIdLogsStream } from '#api-client/panel/applications'
import type { ApplicationLogLine } from '#api-client/panel/schemas'
import { serverSentEvents } from '#api-client/server-sent-events'
import type { ServerSentEvent } from '#api-client/server-sent-events'
import type { LogLine } from '../../kit/log-line.ts'
import { useSession } from '../../session/context.tsx'
import { LINES_SHOWN_MAX } from '../agent/followed.ts'

export interface LogQuery {
  /** How many lines of before are read. */
  readonly tail: number
  readonly service: string | undefined
  readonly deploymentId: string | undefined
}

export interface StreamedLog {
  /** The newest ones. */
  readonly lines: readonly LogLine[]
  /** By their names, as far as they have said something. */
  readonly services: readonly string[]
  /** LOST: it is tried again. REFUSED: it is not. */
  readonly state: 'OPENING' | 'OPEN' | 'LOST' | 'REFUSED'
  /** Why it is lost or refused. */
  readonly reason: unknown
}

/** Lines that come together are drawn together. */
const COLLECT_MS = 100
const BEGUN: StreamedLog = { lines: [], services: [], state: 'OPENING', reason: undefined }

/** @param query stays the same from one drawing to the next; a component that shows another log has another key */
export function useLogStream(id: string, query: LogQuery, isFollowing: boolean): StreamedLog {
  const { call } = useSession()
  const [streamed, setStreamed] = useState(BEGUN)
  const place = useRef<{ lastId: string | undefined; count: number }>({ lastId: undefined, count: 0 })
  useEffect(() => {
    if (!isFollowing) return undefined
    const controller = new AbortController()
    const { signal } = controller
    const told = (more: Partial<StreamedLog>): void => setStreamed((before) => ({ ...before, ...more }))
    let collected: LogLine[] = []
    const show = (): void => {
      const more = collected
      collected = []
      if (more.length > 0) setStreamed((before) => withLines(before, more))
    }
    const timer = setInterval(show, COLLECT_MS)
    const read = async (): Promise<void> => {
      const events = serverSentEvents(
        call,
        getApplicationsByIdLogsStream,
        { params: { id }, query: { ...query } },
        {
          signal,
          after: place.current.lastId,
          onOpen: () => told({ state: 'OPEN', reason: undefined }),
          onLost: (reason) => told({ state: 'LOST', reason }),
        },
      )
      for await (const event of events) {
        collected.push(lineOf(event, (place.current.count += 1)))
        place.current.lastId = event.id
      }
    }
    read().catch((reason: unknown) => {
      if (!signal.aborted) told({ state: 'REFUSED', reason })
    })
    return () => {
      controller.abort()
      clearInterval(timer)
      show()
    }
  }, [call, id, query, isFollowing])
  return streamed
}

const GAPS: Readonly<Record<string, string>> = {
  TOO_MANY: 'Lines are missing here: more was said meanwhile than is read again.',
  CONTAINER_GONE: 'Lines may be missing here: a container is gone.',
}

function lineOf({ name, data }: ServerSentEvent, key: number): LogLine {
  if (name === 'gap') {
    const { reason } = JSON.parse(data) as { readonly reason: string }
    return { key, at: undefined, of: 'GAP', text: GAPS[reason] ?? 'Lines may be missing here.' }
  }
  return { key, ...shownLine(JSON.parse(data) as ApplicationLogLine) }
}

export const shownLine = ({ at, of, service, replica, text }: ApplicationLogLine) => ({
  at,
  of,
  text,
  by: service === null ? undefined : `${service}.${replica ?? 1}`,
})

function withLines(before: StreamedLog, more: readonly LogLine[]): StreamedLog {
  const names = more.flatMap(({ by }) => by?.replace(/\.\d+$/, '') ?? [])
  const services = new Set([...before.services, ...names])
  return {
    ...before,
    lines: [...before.lines, ...more].slice(-LINES_SHOWN_MAX),
    services: services.size === before.services.length ? before.services : [...services].toSorted(),
  }
}
