/**
 * Backs up a service under load, destroys everything except the backup and the secret key, restores, and
 * compares.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { readManifest } from '#kernel/history/backup-manifest'
import { readModels } from '../../src/composition/licensing.ts'
import { createTestDatabase, databaseUrl, dropDatabase } from '../support/admin.ts'
import { freePort } from '../support/free-port.ts'
import { SLUG, openShop, openSite, signIn } from '../support/processes/site.ts'
import { scratchPath } from '../support/scratch.ts'

const DRILL_MS = 180_000
const BUYERS = 4

const site = await openSite()
afterAll(site.close, 60_000)

async function emptyDatabase(): Promise<{ env: { DATABASE_URL: string }; sql: (text: string) => Promise<any[]> }> {
  const [server, name] = [inject('serverUrl'), `daybook_test_${randomBytes(6).toString('hex')}`]
  await createTestDatabase(server, name)
  const DATABASE_URL = databaseUrl(server, name)
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 2 })
  pool.on('error', () => {})
  onTestFinished(async () => {
    await pool.end()
    await dropDatabase(server, name)
  }, 60_000)
  return { env: { DATABASE_URL }, sql: async (text) => (await pool.query(text)).rows }
}

const sum = (rows: string) =>
  `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\n' ORDER BY t::text), '')) AS sum FROM ${rows} t`

/** Checksums of all that a backup holds or a restore rebuilds. `through` ends the log where a backup was taken. */
async function sums(sql: (text: string) => Promise<any[]>, tables: readonly string[], through?: number) {
  const found: Record<string, string> = {}
  for (const table of tables) {
    const place = { 'store.event': 'pos', 'store.chain': 'to_pos' }[table]
    const rows = through !== undefined && place ? `(SELECT * FROM ${table} WHERE ${place} <= ${through})` : table
    found[table] = (await sql(sum(rows)))[0].sum
  }
  return found
}

test(
  'a backup under load is the log up to its head; one of a quiet service is everything, after all else is gone',
  async () => {
    const service = await site.service()
    const session = await signIn(service)
    const token = await openShop(service, session)
    const sql = async (text: string) => (await site.superuser.query(text)).rows
    let [bought, stop] = [0, false]
    const buy = async () => {
      const reference = `order-${(bought += 1)}`
      const body = { reference, planSlug: SLUG, email: `${reference}@customer.test` }
      const { status, body: made } = await service.call('POST', '/api/admin/provisioning', { as: token, body })
      expect(status, JSON.stringify(made)).toBe(201)
      return made
    }
    const first = await buy()
    const buyers = Array.from({ length: BUYERS }, async () => {
      while (!stop) await buy()
    })
    const loaded = scratchPath()
    const underLoad = await site.finished(['backup', loaded])
    stop = true
    await Promise.all(buyers)
    expect(underLoad, underLoad.complained).toMatchObject({ code: 0 })

    const quiet = scratchPath()
    await site.settled()
    await service.stop()
    expect(await site.finished(['backup', quiet])).toMatchObject({ code: 0 })
    const [{ manifest: early }, { manifest: late }] = [await readManifest(loaded), await readManifest(quiet)]
    expect(early.head).toBeGreaterThan(3)
    expect(late.head).toBeGreaterThan(early.head)

    const kept = late.parts.map(({ table }) => table)
    const rebuilt = readModels.map(({ table }) => `read.${table}`)
    const prefix = await sums(sql, ['store.event', 'store.chain'], early.head)
    const everything = await sums(sql, [...kept, ...rebuilt])
    const { pathname } = new URL(site.env['DATABASE_URL']!)
    await dropDatabase(inject('serverUrl'), pathname.slice(1))

    const [one, other] = [await emptyDatabase(), await emptyDatabase()]
    expect(await site.finished(['restore', loaded], one.env)).toMatchObject({ code: 0 })
    expect(await sums(one.sql, ['store.event', 'store.chain'])).toEqual(prefix)
    const restored = await site.finished(['restore', quiet], other.env)
    expect(restored, restored.complained).toMatchObject({ code: 0, said: expect.stringContaining(late.hash) })
    expect(await sums(other.sql, [...kept, ...rebuilt])).toEqual(everything)

    const port = await freePort()
    const running = site.run(['licensing'], { ...other.env, LICENSING_PORT: String(port) })
    await running.until('licensing service started')
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
      return { status: answer.status, body: (await answer.json()) as { licenseKey: string } }
    }
    const { status, body } = await ask(`/api/admin/licenses/${first.license.id}/key`)
    expect([status, body.licenseKey]).toEqual([200, first.licenseKey])
    await running.stop()
    expect(await site.finished(['doctor'], other.env)).toMatchObject({ code: 0 })

    const again = await site.finished(['restore', quiet], other.env)
    expect(again).toMatchObject({ code: 1, complained: expect.stringContaining('The database is not empty') })
  },
  DRILL_MS,
)
