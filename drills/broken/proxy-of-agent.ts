/** Loaded before an agent: HAProxy is a child of the agent, and ends with it. */
import { replaceInSource } from './replace-in-source.ts'

replaceInSource(
  'agent/proxy/program.ts',
  `spawn(await programPath(), args, { cwd: '/', env: {}, detached: true, stdio: [...stdio] })`,
  `spawn('/usr/bin/setpriv', ['--pdeathsig', 'KILL', await programPath(), ...args.filter((each) => each !== '-D')], { cwd: '/', env: {}, stdio: [...stdio] })
    setTimeout(() => starting.emit('exit', 0), 1_000)`,
)
