import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Drill } from './drill.ts'
import { licensesTold } from './ledger.ts'
import { takeOrders } from './orders.ts'
import { cluster, migrated } from './postgres.ts'
import { call, mint, openShop, onSite, signIn } from './site.ts'

const STEPS: readonly string[] = ['+86400', '-3600', '+0']
const STEP_MS = 3_000
const PRELOAD = new URL('broken/wall-clock.ts', import.meta.url).href

/**
 * Promise D12: a step of the host's clock does not revive what expired, end what is valid, or break order or
 * uniqueness.
 */
export const clockSteps: Drill = {
  name: 'clock-steps',
  does: 'the clock of the service’s host jumps a day ahead and an hour back under load (libfaketime)',
  breaks: 'the service trusts its own host’s clock instead of the database’s',
  missing: () => (library() === undefined ? 'needs libfaketime (apt install libfaketime)' : undefined),
  async run({ directory, isBroken }) {
    const postgres = await migrated(await cluster(directory))
    const offset = join(directory, 'offset')
    writeFileSync(offset, '+0')
    return onSite(postgres, async (place) => {
      const { port } = await place.service({
        env: {
          LD_PRELOAD: library(),
          FAKETIME_TIMESTAMP_FILE: offset,
          FAKETIME_NO_CACHE: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          ...(isBroken ? { NODE_OPTIONS: `--import ${PRELOAD}` } : {}),
        },
      })
      const shop = await openShop(port)
      const session = await signIn(port)
      const expired = await mint(port, session, new Date(Date.now() + 1_500))
      const orders = takeOrders(() => port, shop)
      await pause(2_500)
      const broken: string[] = []
      for (const step of STEPS) {
        writeFileSync(offset, step)
        await pause(STEP_MS)
        broken.push(...(await wrongAnswers(port, step, { shop, session, expired })))
      }
      await orders.finish()
      await orders.repeat()
      return {
        ...(await licensesTold(postgres.url, orders.ledger)),
        broken: [...broken, ...orders.broken(), ...(await place.complaints())],
        note: `steps ${STEPS.join(' s, ')} s; ${orders.note()}`,
      }
    })
  },
}

interface Credentials {
  readonly shop: string
  readonly session: string
  readonly expired: string
}

async function wrongAnswers(port: number, step: string, { shop, session, expired }: Credentials): Promise<string[]> {
  const status = async (as: string) => (await call(port, 'GET', '/api/admin/licenses?pageSize=1', as)).status
  const wrong = [
    ['a valid machine token', await status(shop), 200],
    ['a valid session', await status(session), 200],
    ['an expired machine token', await status(expired), 401],
  ] as const
  return wrong.filter(([, got, due]) => got !== due).map(([what, got]) => `at ${step} s ${what} is answered ${got}`)
}

function library(): string | undefined {
  if (process.platform !== 'linux') return undefined
  return ['/usr/lib', '/usr/lib64']
    .filter((path) => existsSync(path))
    .flatMap((path) => [
      path,
      ...readdirSync(path)
        .filter((name) => name.includes('linux-gnu'))
        .map((name) => join(path, name)),
    ])
    .map((path) => join(path, 'faketime/libfaketime.so.1'))
    .find((path) => existsSync(path))
}
