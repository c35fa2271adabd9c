/**
 * The panel is killed with SIGKILL while API keys are minted and revoked. The test keeps its own ledger of
 * acknowledged calls.
 */
import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#test/support/free-port'
import { readModels } from '../../src/composition/panel.ts'
import { callPanel, firstSession } from '../support/processes/panel-process.ts'
import { openPanelSite } from '../support/processes/panel-site.ts'

const MINTS = 300
const LANES = 6
/** Together with the keys whose answer was lost, fewer than an account may have. */
const KEPT = 20
const RETRY_MS = 20
const SCOPE = 'platform:projects:view'

const site = await openPanelSite()
afterAll(site.close, 60_000)
const { superuser, run } = site
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const serving = async () => (await site.serving(port)).running
const call = (method: string, path: string, as?: string, body?: unknown) => callPanel(url, method, path, as, body)

let current = serving()

const secrets = new Map<string, string>()
const revoked = new Set<string>()
const strange: number[] = []
let [asked, unanswered, kept] = [0, 0, 0]

/** Undefined if no answer arrived: then either a key exists whose secret is lost, or there is none. */
async function minted(as: string): Promise<string | undefined> {
  try {
    const { status, body } = await call('POST', '/api-keys', as, { name: `key ${asked}`, scopes: [SCOPE] })
    if (status !== 201) strange.push(status)
    else secrets.set(body.key.id, body.secret)
    return body.key?.id
  } catch {
    unanswered += 1
    await pause(RETRY_MS)
    return undefined
  }
}

/** Repeats the request until there is an answer. */
async function revoke(as: string, id: string): Promise<void> {
  for (;;) {
    await current
    try {
      const { status } = await call('POST', `/api-keys/${id}/revoke`, as)
      if (status === 200) revoked.add(id)
      else strange.push(status)
      return
    } catch {
      await pause(RETRY_MS)
    }
  }
}

async function lane(as: string): Promise<void> {
  while (asked < MINTS) {
    asked += 1
    await current
    const id = await minted(as)
    if (id === undefined) continue
    if (kept < KEPT && asked % 5 === 0) kept += 1
    else await revoke(as, id)
  }
}

async function killAndRestart(): Promise<void> {
  for (const answers of [randomInt(20, 80), randomInt(110, 170), randomInt(200, 260)]) {
    const panel = await current
    while (secrets.size < answers) await pause(1)
    panel.child.kill('SIGKILL')
    current = panel.ended().then(serving)
  }
  await current
}

async function fingerprints(): Promise<Record<string, string>> {
  const sums = readModels.map(async ({ name, table }) => {
    const { rows } = await superuser.query(
      `SELECT count(*) || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS sum FROM read.${table} t`,
    )
    return [name, rows[0].sum] as const
  })
  return Object.fromEntries(await Promise.all(sums))
}

/** The number of read models that have not reached the newest event. */
async function behind(): Promise<number> {
  const { rows } = await superuser.query(
    'SELECT count(*)::int AS number FROM read.projection WHERE position < (SELECT max(pos) FROM store.event)',
  )
  return rows[0].number
}

test('kill -9 loses no acknowledged mint and no acknowledged revocation, and doubles none', async () => {
  const as = await firstSession(url, await current)
  await Promise.all([killAndRestart(), ...Array.from({ length: LANES }, () => lane(as))])
  expect(strange).toEqual([])

  const { body: listed } = await call('GET', '/api-keys', as)
  const statuses = new Map<string, string>(listed.map(({ id, status }: any) => [id, status]))
  const known = Object.fromEntries([...secrets.keys()].map((id) => [id, statuses.get(id)]))
  expect(known).toEqual(
    Object.fromEntries([...secrets.keys()].map((id) => [id, revoked.has(id) ? 'REVOKED' : 'ACTIVE'])),
  )
  expect(listed.length - secrets.size, 'minted, and the answer was lost').toBeLessThanOrEqual(unanswered)

  for (const [id, secret] of secrets)
    expect((await call('GET', '/projects', secret)).status).toBe(revoked.has(id) ? 401 : 200)

  const { rows: doubled } = await superuser.query(
    `SELECT subject_id, action FROM read.audit_trail WHERE action IN ('api_key.minted', 'api_key.revoked')
     GROUP BY subject_id, action HAVING count(*) > 1`,
  )
  expect(doubled).toEqual([])

  const doctor = await run(['doctor']).ended()
  expect(doctor, doctor.said).toMatchObject({ code: 0 })
  await expect.poll(behind, { timeout: 20_000 }).toBe(0)
  const live = await fingerprints()
  expect(await run(['rebuild']).ended()).toMatchObject({ code: 0 })
  expect(await fingerprints()).toEqual(live)
}, 240_000)
