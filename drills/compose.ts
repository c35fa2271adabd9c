/** The project's own Compose file, started as operators start it. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { baseImages, engine, noEngine } from './compose/engine.ts'
import type { Engine } from './compose/engine.ts'
import type { Drill } from './drill.ts'
import { holesIn, licensesTold } from './ledger.ts'
import { takeOrders } from './orders.ts'
import { activePanel, inWords, statesOf } from './panels.ts'
import { ADMIN, call, openShop, signIn, SLUG } from './site.ts'

/** The Compose file publishes it. */
const PORT = 4000
const URL_OF_SERVICE = `http://localhost:${PORT}`
const HEALTHY_WITHIN_MS = 120_000
const LOAD_MS = 3_000
const SERVING = ['licensing', 'postgres', 'projector', 'worker']

const secret = (): string => randomBytes(16).toString('hex')

/** Services are healthy, a license is provisioned and a panel activated; after `down` and `up` all of it is still there. */
export const compose: Drill = {
  name: 'compose',
  does: 'the Compose file is built and started, and shops order while it is taken down and up again',
  breaks: 'the volumes are removed when it is taken down',
  missing: noEngine,
  isInMemory: true,
  async run({ directory, isBroken }) {
    const running = await engine(directory)
    try {
      await baseImages(running, directory)
      const stack = stackOf(running)
      const buildMs = await timed(() => stack.compose('build'))
      const upMs = await timed(() => stack.up())
      const shop = await openShop(PORT)
      const orders = takeOrders(() => PORT, shop)
      const panels = [await activePanel(await published(), 'compose', await soldKey(shop))]
      await pause(LOAD_MS)
      await stack.compose('down', ...(isBroken ? ['--volumes'] : []))
      await stack.up()
      await orders.finish()
      await orders.repeat()
      const url = await stack.databaseUrl()
      const states = inWords(await statesOf(panels, true))
      return {
        ...(await licensesTold(url, orders.ledger)),
        broken: [...orders.broken(), ...(await holesIn(url)), ...(states === '1 ACTIVE' ? [] : [`panels: ${states}`])],
        note: `built in ${seconds(buildMs)}, up in ${seconds(upMs)}; ${orders.note()}`,
      }
    } finally {
      await running.close()
    }
  },
}

function stackOf({ docker }: Engine) {
  const owner = secret()
  const settings = {
    POSTGRES_PASSWORD: owner,
    LICENSING_DATABASE_PASSWORD: secret(),
    DAYBOOK_SECRET_KEY: randomBytes(32).toString('base64'),
    DAYBOOK_ADMIN_EMAIL: ADMIN.email,
    DAYBOOK_ADMIN_PASSWORD: ADMIN.password,
    LICENSING_URL: URL_OF_SERVICE,
  }
  const compose = (...args: readonly string[]): Promise<string> => docker(['compose', ...args], settings)
  const ofContainer = async (service: string, what: string): Promise<string> => {
    const id = (await compose('ps', '--all', '--quiet', service)).trim()
    return (await docker(['inspect', '--format', what, id])).trim()
  }
  return {
    compose,
    async up(): Promise<void> {
      await compose('up', '--detach', '--no-build')
      for (const late = performance.now() + HEALTHY_WITHIN_MS; !(await isHealthy(compose)); await pause(200))
        if (performance.now() > late) throw new Error(`not healthy: ${await compose('ps', '--all')}`)
    },
    /** Postgres publishes no port: only this host reaches it, by the address of its container. */
    async databaseUrl(): Promise<string> {
      const address = await ofContainer('postgres', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}')
      return `postgresql://daybook:${owner}@${address}:5432/daybook`
    },
  }
}

/** Each service that stays up runs, and none of them is other than healthy. */
async function isHealthy(compose: (...args: readonly string[]) => Promise<string>): Promise<boolean> {
  const told = await compose('ps', '--format', '{{.Service}} {{.State}} {{.Health}}')
  const states = told.split('\n').map((line) => line.trim().split(' '))
  return SERVING.every((name) =>
    states.some(
      ([service, state, health = 'healthy']) => service === name && state === 'running' && health === 'healthy',
    ),
  )
}

/** The service as a panel reaches it, and as a member of staff does. */
async function published() {
  const session = await signIn(PORT)
  return {
    baseUrl: URL_OF_SERVICE,
    fetch,
    now: () => new Date(),
    ask: async (method: string, path: string) => (await call(PORT, method, path, session)).body,
  }
}

async function soldKey(shop: string): Promise<string> {
  const order = { email: 'panel@customer.test', planSlug: SLUG, reference: 'of the panel' }
  return (await call(PORT, 'POST', '/api/admin/provisioning', shop, order)).body.licenseKey
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} s`
