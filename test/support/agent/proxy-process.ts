/** The proxy of an agent as a process of its own, which a test kills: `DIRECTORY HTTP_PORT FRAGMENT ADDRESS`. */
import { openProxy } from '../../../src/agent/proxy/proxy.ts'
import { proxyPut } from '../../../src/tasks/proxy.ts'

const [directory = '', httpPort = '', fragment = '', address = ''] = process.argv.slice(2)
const proxy = openProxy({
  directory,
  httpPort: Number(httpPort),
  targetsOf: async () => [address],
  log: (message) => console.error(message),
})
proxy.keepUp()
await proxy.put(proxyPut.payload.parse(JSON.parse(fragment)), new AbortController().signal)
console.log('served')
