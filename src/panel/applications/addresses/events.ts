/** How an application is reached, and from which address its connections leave. */
import { z } from 'zod'
import { eventsAbout } from '#kernel/events/event'
import { portFields, portWords } from '../../servers/ports/events.ts'
import { aboutApplication } from '../about/events.ts'

export const URL_MODES = ['PORT', 'CLEAN'] as const

export const addressFields = {
  /** PORT: its URL names its server and a port there. CLEAN: a name under the domain of the installation. */
  urlMode: z.enum(URL_MODES),
  /** On its server. Null unless it serves HTTP in the mode PORT. */
  urlPort: z.int().nullable(),
  /** The address of its server that the port of its URL is at. Null: all of them. */
  bindIp: z.string().nullable(),
  /** The address of its server that its connections leave from. Null: the server chooses. */
  outboundIp: z.string().nullable(),
}

const portOfApplication = {
  portId: z.uuid(),
  /** Of its containers. */
  containerPort: z.int(),
  ...portFields,
}

const inWords = (ip: string | null): string => ip ?? 'any address'

/** Events of the stream of an application. */
export const addressEvents = eventsAbout(aboutApplication)({
  ApplicationAddressed: {
    fields: addressFields,
    sentence: ({ applicationId, urlMode, urlPort, bindIp, outboundIp }) =>
      `set the URL of application ${applicationId} to the mode ${urlMode}` +
      `${urlPort === null ? '' : ` at port ${urlPort}`}, on ${inWords(bindIp)}, and its way out to ${inWords(outboundIp)}`,
  },
  ApplicationPortOpened: {
    fields: portOfApplication,
    sentence: ({ applicationId, portId, containerPort, ...port }) =>
      `opened ${portWords(port)} for application ${applicationId} as ${portId}, to port ${containerPort} of its containers`,
  },
  ApplicationPortClosed: {
    fields: portOfApplication,
    sentence: ({ applicationId, portId, containerPort: _to, ...port }) =>
      `closed ${portWords(port)} of application ${applicationId}, which was ${portId}`,
  },
})
