/** The copy of the data of another application that an application was made with. */
import { z } from 'zod'
import { eventsAbout } from '#kernel/events/event'
import { aboutApplication } from '../about/events.ts'

export const COPY_STATES = ['RUNNING', 'DONE', 'FAILED'] as const

export const dataCopyFields = {
  /** Whose volumes are copied. */
  fromId: z.uuid(),
  taskId: z.uuid(),
  state: z.enum(COPY_STATES),
  /** How many volumes. */
  volumes: z.int(),
  /** Of their archives. Null: it is not done. */
  bytes: z.int().nullable(),
  /** Why it has failed. Null: it has not. */
  code: z.string().nullable(),
}

export type DataCopy = z.output<z.ZodObject<typeof dataCopyFields>>

const WORDS = { RUNNING: 'began to copy', DONE: 'has copied', FAILED: 'has not copied' } as const

/** Events of the stream of an application. */
export const dataEvents = eventsAbout(aboutApplication)({
  ApplicationDataCopyChanged: {
    fields: dataCopyFields,
    sentence: ({ applicationId, fromId, state, volumes, code }) =>
      `${WORDS[state]} ${volumes} volumes of application ${fromId} for application ${applicationId}` +
      (code === null ? '' : `: ${code}`),
  },
})
