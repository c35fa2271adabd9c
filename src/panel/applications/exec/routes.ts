import { z } from 'zod'
import { route } from '#kernel/http/route'
import { uuid } from '#kernel/lib/uuid'
import { EXEC_MS_MAX, EXEC_STDIN_BYTES_MAX } from '../../../tasks/applications.ts'
import { REPLICAS_MAX, ServiceName } from '../../../tasks/releases.ts'
import { inApplication } from '../../access/application-access.ts'
import { runCommand } from './run-command.ts'

const ARGUMENT_MAX = 4_096
const SECONDS = 10
/** Input in JSON, where a character may take six. */
const BODY_BYTES_MAX = 1_048_576

const hasNoNul = (text: string): boolean => !text.includes('\0')
const argument = z.string().max(ARGUMENT_MAX).refine(hasNoNul, 'must not have a NUL character')
const fitsInput = (text: string): boolean => Buffer.byteLength(text) <= EXEC_STDIN_BYTES_MAX

const Command = z
  .strictObject({
    command: z.array(argument).min(1).max(64).describe('The program and its arguments. No shell reads them.'),
    previewId: uuid.nullable().default(null).describe('The preview that it runs in. Null: the application itself.'),
    service: ServiceName.nullable().default(null).describe('Null: the first one that runs.'),
    replica: z.int().min(1).max(REPLICAS_MAX).nullable().default(null).describe('Null: the first one that runs.'),
    stdin: z
      .string()
      .refine(hasNoNul, 'must not have a NUL character')
      .refine(fitsInput, `must have at most ${EXEC_STDIN_BYTES_MAX} bytes`)
      .nullable()
      .default(null)
      .describe('What it reads. Null: nothing.'),
    timeoutSeconds: z
      .int()
      .min(1)
      .max(EXEC_MS_MAX / 1_000)
      .default(SECONDS)
      .describe('When it is over, the command and all that it has started are ended.'),
  })
  .meta({ examples: [{ command: ['ls', '-l', '/srv'] }] })

const Outcome = z.object({
  exitCode: z.int().nullable().describe('Null: it was ended, because its time was over.'),
  stdout: z.string().describe('Without the values of secret variables.'),
  stderr: z.string().describe('Without the values of secret variables.'),
  truncated: z.boolean().describe('Whether an output was longer than 256 KiB.'),
  timedOut: z.boolean(),
  ms: z.int(),
})

const access = inApplication('apps:deploy', 'apps:env')

export const applicationExecRoutes = [
  route('POST /api/applications/:id/exec', {
    does: 'Run a command in a running container of an application, or of a preview of it, and answer what it says. It is recorded before it runs.',
    access,
    refuses: [409, 429],
    bodyMax: BODY_BYTES_MAX,
    body: Command,
    // What a command says is kept nowhere.
    shownOnce: ['stdout', 'stderr'],
    reply: Outcome,
    handle: (call) => runCommand(call, access, call.body),
  }),
]
