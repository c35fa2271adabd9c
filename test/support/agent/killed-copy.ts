/** Copies volumes and dies by SIGKILL after a call of the engine: `SOCKET PAYLOAD METHOD-AND-PATH`. It says what it notes. */
import { writeSync } from 'node:fs'
import type { EngineCall } from '../../../src/agent/engine-call.ts'
import { hostEngine } from '../../../src/agent/host/engine.ts'
import { volumeCopyPerformer } from '../../../src/agent/volumes/copy.ts'
import { COPY_TASK } from './copy-task.ts'

const [socketPath = '', payload = '', last = ''] = process.argv.slice(2)
const engine = hostEngine(`unix://${socketPath}`)
const call: EngineCall = async (method, path, ...more) => {
  const reply = await engine.call(method, path, ...more)
  if (new RegExp(last).test(`${method} ${path}`)) process.kill(process.pid, 'SIGKILL')
  return reply
}
const { kind, perform } = volumeCopyPerformer({ ...engine, call })
await perform({
  taskId: COPY_TASK,
  payload: kind.payload.parse(JSON.parse(payload)),
  signal: AbortSignal.timeout(60_000),
  made: new Map(),
  note: async (name: string, ref: string) => void writeSync(1, `${name}\t${ref}\n`),
  say: async () => {},
} as never)
