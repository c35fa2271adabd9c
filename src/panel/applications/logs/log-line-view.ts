/** Lines as callers see them. */
import { z } from 'zod'
import type { ContainerLine } from '../../../tasks/applications.ts'
import { LINE_SOURCES } from '../../../tasks/protocol.ts'
import type { TaskLine } from '../../agent/task-log.ts'

export const LogLineView = z
  .object({
    at: z.iso.datetime().describe('By the clock of the server.'),
    of: z.enum(LINE_SOURCES).describe('The output that has said it. STEP: the panel’s own work.'),
    service: z.string().nullable().describe('Null: it is not known, or a line of a build.'),
    replica: z.int().nullable(),
    deploymentId: z.uuid().nullable(),
    text: z.string(),
  })
  .meta({ id: 'ApplicationLogLine' })
export type LogLineView = z.output<typeof LogLineView>

export const lineView = ({ at, of, service, replica, deploymentId, text }: ContainerLine): LogLineView => ({
  at,
  of,
  service,
  replica,
  deploymentId,
  text,
})

export const taskLineView = ({ at, of, text }: TaskLine, deploymentId: string): LogLineView => ({
  at,
  of,
  service: null,
  replica: null,
  deploymentId,
  text,
})
