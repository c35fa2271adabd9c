/** What requests say about addresses of applications. */
import { z } from 'zod'
import { uuid } from '#kernel/lib/uuid'
import { LISTENERS_MAX } from '../../../tasks/proxy.ts'
import { PORT_PROTOCOLS } from '../../servers/ports/events.ts'
import { URL_MODES } from './events.ts'

const IP_MAX = 45
/** Below it are the ports of the host. */
const HOST_PORT_MIN = 1_024
const PORT_MAX = 65_535

const hostPort = z.int().min(HOST_PORT_MIN).max(PORT_MAX).describe('The port of its server, from 1,024 on.')

const ip = z
  .string()
  .max(IP_MAX)
  .nullable()
  .transform((text) => (text === '' ? null : text))

export const NewIp = z.strictObject({ ip: ip.describe('One of the addresses of its server. Null or empty: none.') })

export const NewUrlMode = z.strictObject({
  mode: z
    .enum(URL_MODES)
    .describe(
      'PORT: a port of its server. CLEAN: its slug under the domain of the installation, which the setting appsDomain says.',
    ),
})

export const NewPort = z.strictObject({
  containerPort: z.int().min(1).max(PORT_MAX).describe('The port of its containers that it leads to.'),
  ip: ip.default(null).describe('One of the addresses of its server. Null or empty: all of them.'),
  port: hostPort,
  protocol: z
    .enum(PORT_PROTOCOLS)
    .default('TCP')
    .describe('TCP keeps its connections over a deployment; UDP does not.'),
})

const moved = z.strictObject({
  id: uuid.nullable().describe('As the list shows it. Null: the port of its URL.'),
  hostPort,
})

export const MovedPorts = z.strictObject({
  ports: z
    .array(moved)
    .min(1)
    .max(LISTENERS_MAX)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'must name each port once')
    .describe('The ports that move to other ones of the server. Those that are left out stay.'),
})
