/** Starts a release and dies by SIGKILL after a call of the engine: `SOCKET DIRECTORY RELEASE METHOD-AND-PATH`. */
import type { EngineCall } from '../../../src/agent/engine-call.ts'
import { hostEngine } from '../../../src/agent/host/engine.ts'
import { releasePerformers } from '../../../src/agent/releases/performers.ts'

const [socketPath = '', directory = '', payload = '', last = ''] = process.argv.slice(2)
const engine = hostEngine(`unix://${socketPath}`)
const call: EngineCall = async (method, path, ...more) => {
  const reply = await engine.call(method, path, ...more)
  if (new RegExp(last).test(`${method} ${path}`)) process.kill(process.pid, 'SIGKILL')
  return reply
}
const start = releasePerformers({ ...engine, call, directory }, { policyPath: '/none' }).find(
  ({ kind }) => kind.name === 'release.start',
)!
const work = {
  taskId: '01890000-0000-7000-8000-0000000000ab',
  payload: start.kind.payload.parse(JSON.parse(payload)),
  secrets: null,
  signal: AbortSignal.timeout(60_000),
  say: async () => {},
  write: async () => {},
}
await start.perform(work as never)
