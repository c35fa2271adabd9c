import { openProxy } from '../../../src/agent/proxy/proxy.ts'

/** Of a host of which nothing is asked: it starts nothing. */
export const noProxy = openProxy({
  directory: '/nowhere/proxy',
  httpPort: 80,
  targetsOf: async () => [],
  log: () => {},
})
