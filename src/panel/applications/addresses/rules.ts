/** What an application knows of its addresses: a part of its decider. */
import type { z } from 'zod'
import type { DataOf, EventOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { withoutKey } from '#kernel/lib/without-key'
import { changedValues } from '#kernel/resource/fields'
import type { ChangesOf } from '#kernel/resource/fields'
import { aboutOf } from '../about/events.ts'
import { addressEvents, addressFields } from './events.ts'

type Opened = DataOf<typeof addressEvents.ApplicationPortOpened>
/** A port of the server that leads to a port of its containers. */
export type ApplicationPort = Omit<Opened, 'applicationId' | 'projectId' | 'environmentId'>

export interface Addressed extends z.output<z.ZodObject<typeof addressFields>> {
  /** By their ids. */
  readonly ports: Readonly<Record<string, ApplicationPort>>
}

interface Known extends Addressed {
  readonly id: string
  readonly projectId: string
  readonly environmentId: string
}

export const NO_ADDRESS: Addressed = { urlMode: 'PORT', urlPort: null, bindIp: null, outboundIp: null, ports: {} }

/** With the port of its URL, they are the 50 listeners that the proxy of a server takes for one application. */
export const PORTS_MAX = 49

type Addressing = DataOf<typeof addressEvents.ApplicationAddressed>

export const addressEvolve = {
  ApplicationAddressed: <A extends Addressed>(
    application: A | undefined,
    { applicationId: _a, projectId: _p, environmentId: _e, ...address }: Addressing,
  ): A => ({ ...application!, ...address }),
  ApplicationPortOpened: <A extends Addressed>(
    application: A | undefined,
    { applicationId: _a, projectId: _p, environmentId: _e, ...port }: Opened,
  ): A => ({ ...application!, ports: { ...application!.ports, [port.portId]: port } }),
  ApplicationPortClosed: <A extends Addressed>(application: A | undefined, { portId }: Opened): A => ({
    ...application!,
    ports: withoutKey(application!.ports, portId),
  }),
}

type AddressEvent = EventOf<(typeof addressEvents)[keyof typeof addressEvents]>

export const addressCommands = {
  Address: (
    application: Known | undefined,
    { changes }: { readonly changes: ChangesOf<typeof addressFields> },
  ): EventOf<typeof addressEvents.ApplicationAddressed>[] => {
    const known = found(application)
    const values = changedValues(addressFields, known, changes)
    return values ? [addressEvents.ApplicationAddressed({ ...aboutOf(known), ...values })] : []
  },
  OpenPort: (application: Known | undefined, { port }: { readonly port: ApplicationPort }): AddressEvent[] => {
    const known = found(application)
    if (Object.keys(known.ports).length >= PORTS_MAX)
      reject('conflict', `An application can have at most ${PORTS_MAX} ports: remove one first`, 'TOO_MANY')
    return [addressEvents.ApplicationPortOpened({ ...aboutOf(known), ...port })]
  },
  ClosePort: (application: Known | undefined, { portId }: { readonly portId: string }): AddressEvent[] => {
    const known = found(application)
    return [addressEvents.ApplicationPortClosed({ ...aboutOf(known), ...found(known.ports[portId]) })]
  },
  /** It keeps its id. */
  MovePort: (
    application: Known | undefined,
    { portId, port }: { readonly portId: string; readonly port: number },
  ): AddressEvent[] => {
    const known = found(application)
    const before = { ...aboutOf(known), ...found(known.ports[portId]) }
    return [addressEvents.ApplicationPortClosed(before), addressEvents.ApplicationPortOpened({ ...before, port })]
  },
}
