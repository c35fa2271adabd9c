/** The environment of an agent. */
import { z } from 'zod'
import { InvalidVariable, readVariables, variable } from './variable.ts'

const HTTP_PORT = 80

/** For `daybook agent`, and for the agent beside the panel of an evaluation. */
export const agentVariables = {
  DOCKER_HOST: variable(
    'unix:// and the path of the socket of a container engine; others are not used',
    (text) => text,
  ),
  DAYBOOK_PROXY_HTTP_PORT: variable('a port, 1 to 65535', port),
}

/** @throws InvalidVariable */
function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > 65_535) throw new InvalidVariable('it is no port')
  return number
}

/** Where the container engine is said to be. */
export const dockerHost = (env: NodeJS.ProcessEnv): string | undefined =>
  readVariables(z.object(agentVariables), env).DOCKER_HOST

/** Where the proxy of a host serves names. */
export const proxyHttpPort = (env: NodeJS.ProcessEnv): number =>
  readVariables(z.object(agentVariables), env).DAYBOOK_PROXY_HTTP_PORT ?? HTTP_PORT

/** What an agent and Node read. The environment of a panel holds secrets, which the agent must not have. */
const OF_AGENT = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  ...Object.keys(agentVariables),
  'MALLOC_ARENA_MAX',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'NODE_USE_ENV_PROXY',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
]

/** For an agent that a panel starts. */
export const environmentOfAgent = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(OF_AGENT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
