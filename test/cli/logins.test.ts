/**
 * The database logins of a service. The start is an installation of 0.1.0, whose processes logged in as the
 * owner.
 */
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest'
import { logger } from '#kernel/logging/log'
import { servicePool } from '#kernel/store/connection'
import { migrate } from '#kernel/store/migrate'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { LICENSING_LOGINS, evaluationLogins, migrateAs } from '../../src/cli/logins.ts'
import { openCore } from '../../src/composition/licensing.ts'
import { createTestDatabase, databaseUrl, dropDatabase, dropLogin } from '../support/admin.ts'
import { anAppend } from '../support/kernel/appends.ts'

const server = inject('serverUrl')
const name = `daybook_test_${randomBytes(6).toString('hex')}`
const names = { ...LICENSING_LOGINS, login: `daybook_login_${randomBytes(6).toString('hex')}` }
const ownerUrl = databaseUrl(server, name)
const logins = evaluationLogins(ownerUrl, names, 'the owner’s password')
const secretKey = randomBytes(32)

beforeEach(() => createTestDatabase(server, name))
afterEach(() => dropDatabase(server, name))
afterAll(() => dropLogin(server, names.login))

/** What a process logs when it starts. */
async function starting(databaseUrl: string): Promise<string> {
  let logged = ''
  const sink = new Writable({ write: (chunk, _encoding, done) => done(void (logged += String(chunk))) })
  const core = await openCore(
    { databaseUrl, eventStoreUrl: undefined, secretKey },
    logger({ level: 'info', destination: sink }),
  )
  await core.projector.prepare()
  await core.projector.catchUp()
  expect((await core.projector.status()).every(({ lag }) => lag === 0)).toBe(true)
  await core.close()
  return logged
}

test('an evaluation of 0.1.0 goes on as a login that is not the owner', async () => {
  await migrate(ownerUrl, '0018_api_key_use')
  const before = postgresStore({ url: ownerUrl })
  await before.append(anAppend('old', 0))
  await before.close()

  expect(await migrateAs(logins)).toContain('0019_roles')
  const after = postgresStore({ url: logins.url })
  expect(await after.readStream('old')).toHaveLength(1)
  expect(await after.append(anAppend('old', 1))).toMatchObject({ position: 2 })
  await after.close()

  const pool = servicePool(logins.url)
  expect((await pool.query('SELECT session_user AS login')).rows).toEqual([{ login: names.login }])
  await pool.end()
  expect(await migrateAs(logins)).toEqual([])
})

test('the password of its processes follows from the owner’s and does not tell it', () => {
  const { password } = new URL(logins.url)
  expect(evaluationLogins(ownerUrl, names, 'the owner’s password')).toEqual(logins)
  expect(new URL(evaluationLogins(ownerUrl, names, 'another').url).password).not.toBe(password)
  expect(new URL(evaluationLogins(ownerUrl, LICENSING_LOGINS, 'the owner’s password').url).password).not.toBe(password)
  expect(password).toMatch(/^[\w-]{43}$/)
})

test('a process that logs in as the owner works, and says what is wrong with it; another says nothing', async () => {
  await migrateAs(logins)
  expect(await starting(ownerUrl)).toContain('is a superuser, so it can rewrite the history')
  expect(await starting(logins.url)).toBe('')
})
