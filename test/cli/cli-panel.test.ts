/** `daybook panel`: the panel as a service with its own database. */
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { newEd25519, signJws, privateKeyOf } from '#kernel/credentials/jws'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { command as run } from '../support/processes/command.ts'
import { daybook } from '../support/processes/process.ts'
import type { RunningProcess } from '../support/processes/process.ts'

const SLOW_MS = 120_000
const NOWHERE = 'postgres://nobody@127.0.0.1:1/nowhere'

function started(args: readonly string[], env: NodeJS.ProcessEnv): RunningProcess {
  const running = daybook(args, env)
  onTestFinished(() => void running.stop('SIGKILL'))
  return running
}

/** A panel of the test. Its licensing service and that service's database cannot be reached. */
async function site(more: NodeJS.ProcessEnv = {}) {
  const { url, drop } = await testDatabase()
  onTestFinished(drop)
  return {
    DATABASE_URL: NOWHERE,
    PANEL_DATABASE_URL: url,
    PANEL_SECRET_KEY: randomBytes(32).toString('base64'),
    PANEL_URL: 'http://panel.test',
    PANEL_HOST: '127.0.0.1',
    PANEL_PORT: String(await freePort()),
    ...more,
  }
}

const { d: _private, ...root } = newEd25519()
const elsewhere = { LICENSE_SERVER_URL: 'http://127.0.0.1:1', LICENSE_ROOT_KEY: JSON.stringify(root) }

/** A well-formed license key that no trusted key has signed. */
function licenseKey(): string {
  const key = newEd25519()
  const claims = { iss: 'x', aud: 'daybook-panel', sub: 's', jti: 'lic_first', iat: 1, nbf: 1, exp: 2, ver: 1, seq: 1 }
  const terms = { plan: 'pro', pv: 1, seats: 1, max: 1, ft: {}, grc: 0, off: 0, hb: 1 }
  const k = randomBytes(32).toString('base64url')
  return signJws({ ...claims, ...terms, k }, { typ: 'daybook-license+jwt', kid: 'none', key: privateKeyOf(key) })
}

test('says all that it is missing, and no value', async () => {
  const { code, said, complained } = await run(['panel'], {
    PANEL_DATABASE_URL: 'mysql://root:hunter2hunter2@127.0.0.1/x',
  })
  expect([code, said]).toEqual([1, ''])
  for (const name of ['PANEL_DATABASE_URL must be', 'PANEL_SECRET_KEY is not set', 'PANEL_URL is not set'])
    expect(complained).toContain(name)
  expect(complained).not.toContain('hunter2')
})

test(
  'serves without the other service, its database or a network, and ends in order',
  async () => {
    const env = await site({ ...elsewhere, DAYBOOK_LICENSE_KEY: licenseKey() })
    const panel = started(['panel'], env)
    await panel.until('panel started')
    const here = `http://127.0.0.1:${env.PANEL_PORT}/api`
    expect((await fetch(`${here}/health/ready`)).status).toBe(200)
    expect((await fetch(`${here}/admin/license`)).status).toBe(401)
    await expect.poll(panel.complained).toMatch(/setup token:\n\n {2}dbu_\w{46}\n/)
    expect(await panel.stop()).toMatchObject({ code: 0 })
    expect(panel.said()).toContain('panel stopped')
  },
  SLOW_MS,
)

test(
  'is looked after by the same commands as the other service',
  async () => {
    const env = await site(elsewhere)
    expect(await run(['panel', 'migrate'], env)).toMatchObject({ code: 0, said: expect.stringContaining('up to date') })
    expect(await run(['panel', 'rebuild'], env)).toMatchObject({ code: 0 })
    expect(await run(['panel', 'work'], env)).toMatchObject({
      code: 0,
      said: expect.stringContaining('Last scan for due jobs: '),
    })
    const examined = await run(['panel', 'doctor'], env)
    expect(examined.said).toMatch(/ok +keys +the secret key is correct; license FREE \(NO_KEY\)/)
    expect(examined.code).toBe(0)
    const lost = await run(['panel', 'reset-2fa', 'nobody@panel.test'], env)
    expect(lost).toMatchObject({
      code: 1,
      complained: expect.stringContaining('has the e-mail address nobody@panel.test'),
    })
  },
  SLOW_MS,
)

test.each([
  [['panel', 'licensing'], /There is no command "licensing"/],
  [['panel', 'reset-2fa'], /Usage: daybook panel reset-2fa EMAIL/],
  [['panel', 'rebuild', 'one', 'two'], /Usage: daybook panel rebuild/],
])('%j: what is not understood is not done', async (args, says) => {
  const { code, complained } = await run(args, {})
  expect(code).toBe(2)
  expect(complained).toMatch(says)
})
