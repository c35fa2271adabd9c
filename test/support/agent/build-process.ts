/** A build in a process of its own, which a test kills: `SOCKET DIRECTORY TASK PAYLOAD SECRETS`. */
import { buildPerformer } from '../../../src/agent/builds/build.ts'
import { hostEngine } from '../../../src/agent/host/engine.ts'

const [socket, directory = '', taskId, payload = '', secrets = ''] = process.argv.slice(2)
const write = async (_of: string, text: string) => void process.stdout.write(text)
await buildPerformer({ ...hostEngine(`unix://${socket}`), directory }).perform({
  taskId,
  payload: JSON.parse(payload),
  secrets: JSON.parse(secrets),
  signal: AbortSignal.timeout(60_000),
  say: async () => {},
  write,
} as never)
