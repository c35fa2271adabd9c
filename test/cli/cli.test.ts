/**
 * Every command of the bin: its output is for operators, so it must say what to do. Commands run in a process
 * of their own if they serve, start a Postgres or are ended by signals. All others run in this process.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { readModels, routes } from '../../src/composition/licensing.ts'
import { secretValuesIn } from '../../src/config/withheld-secrets.ts'
import { startEmbeddedPostgres } from '../../src/evaluation/embedded-postgres.ts'
import { existingPgdata } from '../../src/evaluation/embedded-postgres/home.ts'
import { livingPostmaster } from '../../src/evaluation/embedded-postgres/postmaster-file.ts'
import { loadOrCreateSecrets } from '../../src/evaluation/secrets-file.ts'
import { createTestDatabase, databaseUrl, dropDatabase, dropLogin } from '../support/admin.ts'
import { builtPages } from '../support/built-pages.ts'
import { testDatabase } from '../support/database.ts'
import { noEngine, startEngine } from '../support/docker-engine.ts'
import { freePort } from '../support/free-port.ts'
import { command as run } from '../support/processes/command.ts'
import { daybook } from '../support/processes/process.ts'
import type { ProcessResult, RunningProcess } from '../support/processes/process.ts'
import { ADMIN, openSite, openShop, signIn } from '../support/processes/site.ts'
import { scratchOfFile, scratchPath } from '../support/scratch.ts'

const SLOW_MS = 120_000

function started(args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningProcess {
  const running = daybook(args, env)
  onTestFinished(() => void running.stop('SIGKILL'))
  return running
}

const ended = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ProcessResult> =>
  started(args, env).ended()

const secretKey = () => randomBytes(32).toString('base64')

function production(url: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { DATABASE_URL: url, DAYBOOK_SECRET_KEY: secretKey(), LICENSING_URL: 'https://licensing.test', ...more }
}

/** A database with the template's migrations, or with none. */
async function database({ migrated = true } = {}): Promise<string> {
  if (migrated) {
    const { url, drop } = await testDatabase()
    onTestFinished(drop)
    return url
  }
  const [server, name] = [inject('serverUrl'), `daybook_test_${randomBytes(6).toString('hex')}`]
  await createTestDatabase(server, name)
  onTestFinished(() => dropDatabase(server, name))
  return databaseUrl(server, name)
}

async function sql(url: string, text: string): Promise<Record<string, any>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

async function site() {
  const opened = await openSite()
  onTestFinished(opened.close, 60_000)
  return opened
}

test.each([[[]], [['help']], [['--help']], [['-h']]])('%j explains every command', async (args) => {
  const { code, said, complained } = await run(args)
  expect([code, complained]).toEqual([0, ''])
  for (const name of [
    'start',
    'licensing',
    'panel',
    'projector',
    'migrate',
    'rebuild',
    'audit',
    'backup',
    'restore',
    'projections',
    'staff',
    'routes',
    'doctor',
    'pages',
  ])
    expect(said).toMatch(new RegExp(`^  daybook ${name}\\b.* {3}\\S`, 'm'))
})

test('a command explains itself', async () => {
  expect(await run(['rebuild', '--help'])).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^Usage: daybook rebuild \[NAME\]\n/),
  })
})

test.each(['licence', 'constructor', '__proto__', '--version-please'])('there is no command %s', async (name) => {
  const { code, said, complained } = await run([name])
  expect([code, said]).toEqual([2, ''])
  expect(complained).toContain(`There is no command ${JSON.stringify(name)}`)
  expect(complained).toContain('daybook licensing')
})

test.each([
  ['migrate', '--dry-run'],
  ['rebuild', 'plans', 'customers'],
  ['start', 'now'],
  ['pages'],
  ['pages', 'here', 'there'],
  ['staff', 'reset-password', 'a@b.test', 'c'],
])('%s %s: what is not understood is not done', async (...args) => {
  const { code, complained } = await run(args)
  expect(code).toBe(2)
  expect(complained).toMatch(/^Usage: daybook /)
})

test('says its version', async () => {
  expect(await ended(['--version'])).toMatchObject({ code: 0, said: `${packageJson.version}\n` })
})

test('routes lists what is declared, and nothing else', async () => {
  const { code, said } = await run(['routes'])
  expect(code).toBe(0)
  const lines = said.split('\n').filter((line) => line.includes('/'))
  expect(lines.map((line) => line.split(/ +/).slice(0, 2).join(' ')).toSorted()).toEqual(
    routes.map(({ line }) => line).toSorted(),
  )
  const opened = routes.filter(({ access }) => access.kinds.includes('token')).length
  expect(lines.filter((line) => line.endsWith('machine token'))).toHaveLength(opened)
  expect(said).toContain(`${routes.length} routes, ${opened} of them open to machine tokens.`)
  expect(said).toMatch(/^POST +\/api\/admin\/provisioning +licenses:manage +staff, machine token$/m)
})

test('migrate brings an empty database to this version, and a second one finds nothing to do', async () => {
  const DATABASE_OWNER_URL = await database({ migrated: false })
  const user = `daybook_test_${randomBytes(6).toString('hex')}`
  const DATABASE_URL = databaseUrl(inject('serverUrl'), new URL(DATABASE_OWNER_URL).pathname.slice(1), {
    user,
    password: `p${user}`,
  })
  onTestFinished(() => dropLogin(inject('serverUrl'), user))
  onTestFinished(() => dropDatabase(inject('serverUrl'), new URL(DATABASE_URL).pathname.slice(1)))
  expect(await run(['migrate'], { DATABASE_OWNER_URL, DATABASE_URL })).toMatchObject({
    code: 0,
    said: expect.stringContaining('0001_event_store'),
  })
  expect(await sql(DATABASE_URL, 'SELECT current_user AS login')).toEqual([{ login: user }])
  expect(await run(['migrate'], { DATABASE_URL: DATABASE_OWNER_URL })).toMatchObject({
    code: 0,
    said: 'Nothing to do: the database is up to date.\n',
  })
})

test('migrate says so when its login may not', async () => {
  const url = new URL(await database({ migrated: false }))
  const login = `daybook_test_${randomBytes(6).toString('hex')}`
  await sql(url.href, `CREATE ROLE ${login} LOGIN PASSWORD 'p${login}'`)
  onTestFinished(async () => void (await sql(inject('serverUrl'), `DROP ROLE ${login}`)))
  Object.assign(url, { username: login, password: `p${login}` })
  const { code, complained } = await run(['migrate'], { DATABASE_URL: url.href })
  expect(code).toBe(1)
  expect(complained).toMatch(/lacks the privilege for this.*owns the database.*permission denied/)
  url.password = 'something else'
  const refused = await run(['migrate'], { DATABASE_URL: url.href })
  expect(refused).toMatchObject({ code: 1, complained: expect.stringMatching(/check user and password/) })
  expect(refused.complained).not.toContain('something')
})

test('doctor finds all well', async () => {
  const { loginUrl, drop } = await testDatabase()
  onTestFinished(drop)
  const { code, said } = await run(['doctor'], production(loginUrl, { PAGES_DIR: await builtPages() }))
  expect(said).not.toMatch(/problem|advice/)
  for (const part of [
    'node',
    'configuration',
    'migrations',
    'pages',
    'queue',
    'mail',
    'start',
    'database',
    'login',
    'clock',
    'keys',
    'history',
    'read models',
  ])
    expect(said).toMatch(new RegExp(`^  ok       ${part}`, 'm'))
  expect(code).toBe(0)
})

test('doctor says how to serve pages', async () => {
  const { code, said } = await run(['doctor'], production(await database()))
  expect(said).toMatch(/^  advice   pages +none are served: run "daybook pages DIR", and set PAGES_DIR to that/m)
  expect(code).toBe(0)
})

test('pages builds what PAGES_DIR names: a page of the service is there, and without it says what to do', async () => {
  const dir = scratchPath()
  expect(await run(['pages', dir])).toMatchObject({ code: 0, said: expect.stringContaining(`PAGES_DIR`) })
  const { service } = await site()
  const [served, bare] = await Promise.all([service(undefined, { PAGES_DIR: dir }), service()])
  expect([(await served.call('GET', '/console')).status, (await served.call('GET', '/shop')).status]).toEqual([
    200, 200,
  ])
  const { status, body } = await bare.call('GET', '/console')
  expect([status, body.message]).toEqual([503, expect.stringContaining('run "daybook pages DIR"')])
  const closed = await service(undefined, { PAGES_DIR: dir, SHOP_URL: 'none' })
  expect([(await closed.call('GET', '/console')).status, (await closed.call('GET', '/shop')).status]).toEqual([
    200, 404,
  ])
})

test('doctor says what to do about processes that log in as the owner', async () => {
  const { code, said } = await run(['doctor'], production(await database()))
  expect(said).toMatch(
    /^  advice   login +the login \S+ is a superuser.*set DATABASE_OWNER_URL to .*"daybook migrate"/m,
  )
  expect(code).toBe(0)
})

const problems: Readonly<Record<string, { env: () => Promise<NodeJS.ProcessEnv>; says: RegExp }>> = {
  'no configuration': {
    env: async () => ({ DAYBOOK_DATA_DIR: '/nonexistent' }),
    says: /problem {2}configuration +DATABASE_URL is not set, and there is no evaluation in \/nonexistent\. Run "daybook start"/,
  },
  'half a configuration': {
    env: async () => ({ DATABASE_URL: 'postgres://127.0.0.1/daybook' }),
    says: /LICENSING_URL is not set\n +DAYBOOK_SECRET_KEY is not set/,
  },
  'a mail server that is not there': {
    env: async () => ({
      ...production(await database()),
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      MAIL_FROM: 'daybook@vendor.example',
    }),
    says: /problem {2}mail +The mail server cannot be used \(ESOCKET\): check SMTP_URL/,
  },
  'no server': {
    env: async () => production(`postgres://daybook:secret-word@127.0.0.1:${await freePort()}/daybook`),
    says: /problem {2}migrations +The database cannot be reached: check that it is running .* \(connect ECONNREFUSED/,
  },
  'no database': {
    env: async () => production(databaseUrl(inject('serverUrl'), 'no_such_database')),
    says: /problem {2}migrations +The database does not exist: create it/,
  },
  'a directory without pages': {
    env: async () => production(await database(), { PAGES_DIR: '/nonexistent' }),
    says: /problem {2}pages +\/nonexistent of PAGES_DIR holds no pages: run "daybook pages \/nonexistent"/,
  },
  'not migrated': {
    env: async () => production(await database({ migrated: false })),
    says: /problem {2}migrations +0001_event_store, .*not applied yet: run "daybook migrate"/,
  },
  'a database that forgets': {
    env: async () => {
      const url = await database()
      await sql(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`)
      return production(url)
    },
    says: /problem {2}start +This PostgreSQL server can lose acknowledged writes: synchronous_commit = off/,
  },
}

test.each(Object.entries(problems))('doctor finds %s', async (_name, { env, says }) => {
  const { code, said, complained } = await run(['doctor'], await env())
  expect(said).toMatch(says)
  expect([code, complained]).toEqual([1, ''])
})

test(
  'doctor finds a wrong key and a tampered event',
  async () => {
    const { env, superuser, service, finished } = await site()
    const running = await service()
    await openShop(running, await signIn(running))
    await running.stop()
    expect(await finished(['doctor'])).toMatchObject({ code: 0 })

    const wrongKey = await finished(['doctor'], { DAYBOOK_SECRET_KEY: secretKey() })
    expect(wrongKey.said).toMatch(
      /problem {2}start +The secret key does not fit this database: start with the secret key that/,
    )
    expect(wrongKey.code).toBe(1)
    expect(wrongKey.said).not.toContain(env['DAYBOOK_SECRET_KEY'])

    await superuser.query(`
    ALTER TABLE store.event DISABLE TRIGGER append_only;
    UPDATE store.event SET data = replace(data::text, 'Storm', 'Calm')::json WHERE type = 'PlanCreated';
    ALTER TABLE store.event ENABLE ALWAYS TRIGGER append_only`)
    const { rows } = await superuser.query(`SELECT pos FROM store.event WHERE type = 'PlanCreated'`)
    const tampered = await finished(['doctor'])
    expect(tampered.said).toMatch(
      new RegExp(`problem  history +Event ${rows[0].pos} is not what was appended: .*restore a backup`),
    )
    expect(tampered.code).toBe(1)
  },
  SLOW_MS,
)

test(
  'doctor and projections find what a read model cannot apply, and why; retry applies it once it can be',
  async () => {
    const { superuser, service, finished, count } = await site()
    const running = await service()
    const session = await signIn(running)
    await superuser.query('ALTER TABLE read.plans ADD CONSTRAINT unlucky CHECK (false)')
    const body = { slug: 'unlucky', name: 'Unlucky' }
    const plan = await running.call('POST', '/api/admin/plans', { as: session, body })
    expect([plan.status, plan.headers.get('projection-lag')]).toEqual([201, '1'])
    await running.stop()
    const { code, said } = await finished(['doctor'])
    expect(said).toMatch(/problem {2}read models +plans cannot apply event \d+ and has parked .*"unlucky"/)
    expect(code).toBe(1)
    const listed = await finished(['projections'])
    expect(listed.code).toBe(1)
    expect(listed.said).toMatch(/^plans +\d+ +0 +1$/m)
    expect(listed.said).toMatch(/^plans: stream plan-\S+ is parked from event \d+ on, 1 event: .*"unlucky"/m)
    expect(await finished(['projections', 'retry', 'plans'])).toMatchObject({
      code: 1,
      said: 'Applied 0 events; 1 stream is still parked.\n',
    })
    await superuser.query('ALTER TABLE read.plans DROP CONSTRAINT unlucky')
    expect(await finished(['projections', 'retry'])).toMatchObject({ code: 0, said: 'Applied 1 event.\n' })
    expect(await count('plans', `slug = 'unlucky'`)).toBe(1)
    expect((await finished(['projections'])).code).toBe(0)
    expect((await finished(['projections', 'again'])).code).toBe(2)
    expect((await finished(['projections', 'retry', 'plan'])).complained).toContain(
      'There is no read model called plan',
    )
  },
  SLOW_MS,
)

test(
  'rebuild fills one read model or all of them, and knows no others',
  async () => {
    const { superuser, service, finished, count } = await site()
    const running = await service()
    await openShop(running, await signIn(running))
    await running.stop()
    await superuser.query('TRUNCATE read.plans, read.machine_tokens')
    expect(await finished(['rebuild', 'plans'])).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Rebuilt plans from \d+ events\.\n$/),
    })
    expect([await count('plans'), await count('machine_tokens')]).toEqual([1, 0])
    expect(await finished(['rebuild'])).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Rebuilt every read model from/),
    })
    expect(await count('machine_tokens')).toBe(1)

    const unknown = await finished(['rebuild', 'plan'])
    expect(unknown.code).toBe(1)
    expect(unknown.complained).toContain('There is no read model called plan. The read models are: ')
    for (const { name } of readModels) expect(unknown.complained).toContain(name)
  },
  SLOW_MS,
)

test(
  'staff reset-password lets somebody in again, and ends the old password and the sessions',
  async () => {
    const { superuser, service, finished } = await site()
    const running = await service()
    const session = await signIn(running)
    const wrong = { ...ADMIN, password: 'not the password' }
    await running.call('POST', '/api/admin/auth/login', { body: wrong })
    await superuser.query(
      `UPDATE telemetry.attempt SET consecutive = 100, locked_at = now() WHERE key LIKE 'password:%'`,
    )
    expect((await running.call('POST', '/api/admin/auth/login', { body: ADMIN })).status).toBe(401)
    const examined = await finished(['doctor'])
    expect(examined.code, 'strangers do not turn the doctor').toBe(0)
    expect(examined.said).toMatch(
      /^ {2}ok +sign-ins +1 account is locked: .*reset-password EMAIL.*\n {26}STAFF [0-9a-f-]{36}, by wrong passwords, since \S+Z$/m,
    )
    const reset = await finished(['staff', 'reset-password', ADMIN.email.toUpperCase()])
    expect(reset, reset.complained).toMatchObject({ code: 0 })
    expect(reset.said).toContain('The account is unlocked: 100 wrong passwords in a row had locked it.\n')
    const password = /^ {2}(\S{20,})$/m.exec(reset.said)![1]!
    const me = () => running.call('GET', '/api/admin/auth/me', { as: session })
    expect((await me()).status).toBe(401)
    const old = await running.call('POST', '/api/admin/auth/login', { body: ADMIN })
    expect(old.status).toBe(401)
    const again = await signIn(running, password)
    const trail = await running.call('GET', '/api/admin/audit?actor=SYSTEM&pageSize=100', { as: again })
    expect(JSON.stringify(trail.body)).toContain('password')
    expect(JSON.stringify(trail.body)).not.toContain(password)

    const unknown = await finished(['staff', 'reset-password', 'nobody@staff.test'])
    expect(unknown).toMatchObject({ code: 1, said: '' })
    expect(unknown.complained).toMatch(
      /^No staff account of .* has the e-mail address nobody@staff\.test\. Check its spelling\.\n$/,
    )
    for (const words of [[], ['reset-password'], ['promote', ADMIN.email]])
      expect(await finished(['staff', ...words])).toMatchObject({
        code: 2,
        complained: expect.stringContaining('EMAIL'),
      })
  },
  SLOW_MS,
)

test(
  'staff reset-password does not say that sessions have ended which are still let in',
  async () => {
    const { superuser, service, finished } = await site()
    const running = await service()
    const session = await signIn(running)
    await superuser.query(
      `CREATE FUNCTION read.stand() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'stands'; END $$`,
    )
    await superuser.query('CREATE TRIGGER stand BEFORE DELETE ON read.staff_sessions EXECUTE FUNCTION read.stand()')
    const reset = await finished(['staff', 'reset-password', ADMIN.email])
    expect((await running.call('GET', '/api/admin/auth/me', { as: session })).status).toBe(200)
    expect(reset.code).toBe(1)
    expect(reset.said).toMatch(/^ {2}\S{20,}$/m)
    expect(reset.said).not.toContain('have ended')
    expect(reset.complained).toContain('daybook doctor')
  },
  SLOW_MS,
)

test('licensing and projector list everything that is not configured', async () => {
  for (const command of ['licensing', 'projector']) {
    const { code, said, complained } = await run([command])
    expect([code, said]).toEqual([1, ''])
    for (const name of ['DATABASE_URL', 'DAYBOOK_SECRET_KEY', 'LICENSING_URL'])
      expect(complained).toContain(`  ${name} is not set\n`)
  }
})

test('licensing lists everything that is configured wrongly, and repeats no value', async () => {
  const wrong = {
    DATABASE_URL: 'mysql://root:hunter2hunter2@127.0.0.1/x',
    DAYBOOK_SECRET_KEY: 'tooshortbutsecret',
    LICENSING_URL: 'https://user:hunter3@licensing.test/path',
    LICENSING_PORT: '70000',
    TRUSTED_PROXIES: 'everybody',
    DAYBOOK_ADMIN_PASSWORD: 'changeme',
  }
  const { code, complained } = await run(['licensing'], wrong)
  expect(code).toBe(1)
  for (const [name, value] of Object.entries(wrong)) {
    expect(complained).toContain(`  ${name} `)
    expect(complained).not.toContain(value)
  }
  expect(complained).not.toMatch(/hunter|secret\b/)
})

test.each(['licensing', 'projector'])(
  '%s refuses a database that is not migrated, or that forgets',
  async (command) => {
    const empty = await ended([command], production(await database({ migrated: false })))
    expect(empty).toMatchObject({
      code: 1,
      complained: expect.stringMatching(/lacks the migrations 0001_event_store.*run "daybook migrate"/),
    })
    const url = await database()
    await sql(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`)
    const forgetful = await run([command], production(url))
    expect(forgetful).toMatchObject({
      code: 1,
      complained: expect.stringMatching(/synchronous_commit = off.*ALTER DATABASE/),
    })
  },
)

test('licensing ends when it cannot have its port, or its first account', async () => {
  const url = await database()
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as { port: number }
  const there = { LICENSING_PORT: String(port), LICENSING_HOST: '127.0.0.1' }
  const env = production(url, there)
  const refused = await ended(['licensing'], env)
  expect(refused).toMatchObject({ code: 1, complained: expect.stringContaining(`Port ${port} is in use on 127.0.0.1`) })
  const weak = await run(['licensing'], { ...env, DAYBOOK_ADMIN_EMAIL: ADMIN.email, DAYBOOK_ADMIN_PASSWORD: 'qzx' })
  expect(weak.code).toBe(1)
  expect(weak.complained).toMatch(
    /^The first account cannot be created from DAYBOOK_ADMIN_EMAIL and DAYBOOK_ADMIN_PASSWORD: /,
  )
})

function endPostgres(dataDir: string): void {
  const left = livingPostmaster(existingPgdata(dataDir))
  if (left) process.kill(left.pid, 'SIGKILL')
}

/** A data directory for `daybook start`. Its Postgres stops when the test ends. */
async function evaluation() {
  const dataDir = scratchPath()
  onTestFinished(() => endPostgres(dataDir))
  const [licensing, panel] = [await freePort(), await freePort()].map(String)
  return { dataDir, env: { DAYBOOK_DATA_DIR: dataDir, LICENSING_PORT: licensing, PANEL_PORT: panel } }
}

const READY = 'Press Ctrl-C to stop.'
const credentials = (said: string) => ({
  email: /^ {2}e-mail +(\S+)$/m.exec(said)?.[1],
  password: /^ {2}password +(\S+)$/m.exec(said)?.[1],
})
/** The printed curl command that requests a path. */
const curl = (said: string, path: string): string =>
  said.match(/^ {2}curl [^]*?'$/gm)!.find((command) => command.includes(path))!
/** Runs a command as if it were pasted into an interactive shell. */
const pasted = (command: string): any => JSON.parse(execFileSync('bash', { input: `${command}\n`, encoding: 'utf8' }))
const PROVISIONING = '/api/admin/provisioning'
const stepsOf = (said: string): string[] => said.split('\n').filter((line) => line.endsWith(' …'))

test(
  'start can be tried at once: what it prints works as printed, now and after a restart',
  async () => {
    const { dataDir, env: ownPorts } = await evaluation()
    const noSocket = join(dataDir, 'docker.sock')
    const env = { ...ownPorts, DOCKER_HOST: `unix://${noSocket}` }
    const first = started(['start'], env)
    await first.until(READY)
    const admin = credentials(first.said())
    const login = () =>
      fetch(`http://127.0.0.1:${env.LICENSING_PORT}/api/admin/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(admin),
      })
    expect((await login()).status).toBe(200)
    for (const file of ['secrets.json', 'licensing.log', 'panel.log', 'postgres.log'])
      expect(statSync(join(dataDir, file)).mode & 0o777, file).toBe(0o600)
    expect(stepsOf(first.said())).toEqual([
      'Loading Daybook …',
      'Creating a Postgres database (only at the first start) …',
      'Starting Postgres …',
      'Migrating the databases …',
      'Opening the licensing service …',
      'Filling the read models …',
      'Building the pages (only after a change) …',
      'Starting the licensing service …',
      'Opening the panel …',
      'Filling the read models …',
      'Starting the panel …',
      'Starting the local agent …',
    ])
    expect(first.said()).toMatch(
      new RegExp(
        `^ {2}Local server +none: No container engine was found at ${noSocket}\\. Install and start Docker, or `,
        'm',
      ),
    )
    const addresses = [...first.said().matchAll(/^ {2}(?:Address|Back office|Shop|Panel|Documentation) +(\S+)/gm)].map(
      ([, address]) => address!,
    )
    expect(addresses).toHaveLength(7)
    expect(first.said()).toMatch(new RegExp(`^ {2}http://localhost:${env.PANEL_PORT}/setup#token=dbu_\\w{46}$`, 'm'))
    for (const address of addresses) {
      const { status, headers } = await fetch(address, { headers: { accept: 'text/html' } })
      expect([status, headers.get('content-type')], address).toEqual([200, 'text/html; charset=utf-8'])
    }
    expect(first.said()).toMatch(/^ {2}License +ACTIVE, plan evaluation /m)
    expect(first.said()).toContain(`(shown only this once; it is stored in ${dataDir}/secrets.json, as adminPassword)`)
    const ordered = pasted(curl(first.said(), PROVISIONING))
    expect(ordered).toMatchObject({ created: true, subscription: { planSlug: 'starter' } })
    expect(pasted(curl(first.said(), PROVISIONING))).toMatchObject({ created: false, licenseKey: ordered.licenseKey })

    const second = await ended(['start'], { ...env, LICENSING_PORT: String(await freePort()) })
    expect(second).toMatchObject({ code: 1, said: 'Loading Daybook …\n' })
    expect(second.complained).toMatch(new RegExp(`is in use by process ${first.pid}\\. Stop that process first`))
    const beside = { code: 0, said: expect.stringMatching(/^ {2}ok {7}login /m) }
    expect(await run(['doctor'], env), 'beside it').toMatchObject(beside)

    expect(await first.stop('SIGINT')).toMatchObject({ code: 0, complained: '' })
    expect(livingPostmaster(existingPgdata(dataDir))).toBeUndefined()
    for (const words of [['doctor'], ['panel', 'doctor']])
      expect(await ended(words, env), `${words.join(' ')} with nothing running`).toMatchObject({ code: 0 })

    const engine = noEngine === undefined ? await startEngine() : undefined
    onTestFinished(() => engine?.stop())
    const again = started(['start'], engine ? { ...env, DOCKER_HOST: `unix://${engine.socketPath}` } : env)
    await again.until(READY)
    expect(again.said()).toMatch(
      engine ? /^ {2}Local server +ready: Docker \d[\w.+-]+, \d+ CPU, [\d.]+ GiB$/m : /^ {2}Local server +none: /m,
    )
    expect(credentials(again.said())).toEqual({ email: admin.email })
    expect(again.said()).toContain(`  password          in ${dataDir}/secrets.json, as adminPassword\n`)
    expect(again.said()).toContain('$DAYBOOK_TOKEN')
    expect(again.said()).toMatch(/^ {2}License +ACTIVE, plan evaluation /m)
    for (const secret of [admin.password!, /Bearer (dbm_\w+)'/.exec(first.said())![1]!]) {
      expect(again.said()).not.toContain(secret)
      expect(readFileSync(join(dataDir, 'licensing.log'), 'utf8')).not.toContain(secret)
    }
    expect((await login()).status).toBe(200)
    expect(pasted(curl(first.said(), PROVISIONING))).toMatchObject({ created: false, licenseKey: ordered.licenseKey })

    const register = curl(again.said(), '/api/auth/register')
    expect(register).toBe(curl(first.said(), '/api/auth/register'))
    expect(again.said()).toContain(`  password          in ${dataDir}/panel-password\n`)
    expect(pasted(register)).toEqual({ message: 'The first account was created. Sign in to continue.' })
    expect(pasted(register)).toMatchObject({ statusCode: 409 })
    const person = { email: admin.email, password: readFileSync(join(dataDir, 'panel-password'), 'utf8').trim() }
    const entered = await fetch(`http://127.0.0.1:${env.PANEL_PORT}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
    })
    const session: any = await entered.json()
    expect(session).toMatchObject({ user: { role: 'SUPERADMIN', name: 'Administrator' } })
    const local = (method: string, path = '') =>
      fetch(`http://127.0.0.1:${env.PANEL_PORT}/api/servers/local${path}`, {
        method,
        headers: { authorization: `Bearer ${session.accessToken}` },
      })
    expect(await (await local('GET')).json()).toMatchObject(
      engine ? { server: { status: 'ONLINE' }, problem: null } : { server: null, problem: { code: 'NO_AGENT' } },
    )
    const install = await local('POST', '/install-agent')
    expect([install.status, install.headers.get('error-code')]).toEqual(engine ? [202, null] : [503, 'NO_ENGINE'])
    if (engine) {
      expect(await install.json()).toEqual({ state: 'STARTED', command: null, expiresAt: null })
      const { state, result }: any = await (await local('POST', '/setup')).json()
      expect(state).toBe('SUCCEEDED')
      expect(result.checks[0]).toMatchObject({ name: 'ENGINE', ok: true })
    }
    expect(await again.stop()).toMatchObject({ code: 0, complained: '' })

    const third = started(['start'], env)
    await third.until(READY)
    expect(stepsOf(third.said()).filter((step) => step.includes('only'))).toEqual([])
    expect(third.said()).not.toContain('/api/auth/register')
    const [, panel] = third.said().split('Sign in to the panel:')
    expect(panel).toMatch(new RegExp(`^ {2}e-mail +${admin.email}\n {2}password +in ${dataDir}/panel-password$`, 'm'))
    expect(third.said()).not.toContain(person.password)
    expect(await third.stop()).toMatchObject({ code: 0, complained: '' })
  },
  SLOW_MS,
)

test(
  'start shows nothing of what the environment says in secret, and leads to where the services listen',
  async () => {
    const { dataDir, env: where } = await evaluation()
    // An address of the whole loopback network, where the system has one.
    const host = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1'
    const password = `a phrase of ${randomBytes(6).toString('hex')}`
    const env = {
      ...where,
      LICENSING_HOST: host,
      LICENSING_URL: 'https://licensing.test',
      DATABASE_URL: await database(),
      PANEL_DATABASE_URL: await database(),
      DAYBOOK_SECRET_KEY: secretKey(),
      PANEL_SECRET_KEY: secretKey(),
      DAYBOOK_ADMIN_PASSWORD: password,
      STRIPE_SECRET_KEY: `sk_test_${randomBytes(12).toString('hex')}`,
      STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(12).toString('hex')}`,
      SMTP_URL: `smtp://user:${randomBytes(6).toString('hex')}@127.0.0.1:${await freePort()}`,
      MAIL_FROM: 'daybook@vendor.test',
      LOG_LEVEL: 'trace',
      PAGES_DIR: await builtPages(),
    }
    const running = started(['start'], env)
    await running.until(READY)
    expect(running.said()).toMatch(/^ {2}password +as set in DAYBOOK_ADMIN_PASSWORD$/m)
    expect(running.said()).toContain(`http://${host}:${env.LICENSING_PORT}/ `)
    expect(running.said()).toMatch(/^ {2}License +ACTIVE, plan evaluation /m)
    const login = await fetch(`http://${host}:${env.LICENSING_PORT}/api/admin/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: credentials(running.said()).email, password }),
    })
    expect(login.status).toBe(200)
    const { said, complained } = await running.stop()
    const logs = ['licensing.log', 'panel.log'].map((file) => readFileSync(join(dataDir, file), 'utf8'))
    const examined = await run(['doctor'], env)
    const all = [said, complained, ...logs, examined.said, examined.complained].join('')
    const secrets = secretValuesIn(env)
    expect(secrets).toHaveLength(7)
    for (const secret of secrets) expect(all).not.toContain(secret)
  },
  SLOW_MS,
)

test('start ends at once, in one line, where it has no directory or two services one port', async () => {
  const file = scratchPath()
  writeFileSync(file, '')
  const refused = await ended(['start'], { DAYBOOK_DATA_DIR: file })
  const complained = `${file} is a file, or a path below a file. Set DAYBOOK_DATA_DIR to another directory.\n`
  expect(refused).toMatchObject({ code: 1, said: 'Loading Daybook …\n', complained })
  const both = await ended(['start'], { DAYBOOK_DATA_DIR: scratchPath(), LICENSING_PORT: '4321', PANEL_PORT: '4321' })
  expect(both).toMatchObject({
    code: 1,
    said: 'Loading Daybook …\n',
    complained: 'Both services use port 4321: set LICENSING_PORT or PANEL_PORT to another port.\n',
  })
})

test(
  'start makes nothing that is shown once while one of its ports is taken, and a Ctrl-C while it starts leaves no Postgres',
  async () => {
    const { dataDir, env: where } = await evaluation()
    const env = { ...where, PAGES_DIR: await builtPages() }
    for (const port of [env.LICENSING_PORT, env.PANEL_PORT]) {
      const taken = createServer().listen(Number(port), '127.0.0.1')
      await once(taken, 'listening')
      const refused = await ended(['start'], env)
      taken.close()
      expect(refused.code).toBe(1)
      expect(stepsOf(refused.said).join('\n')).toBe(refused.said.trimEnd())
      expect(stepsOf(refused.said).at(-1)).toBe('Starting Postgres …')
      expect(refused.complained).toContain(`Port ${port} is in use on 127.0.0.1`)
    }

    const impatient = started(['start'], env)
    await expect.poll(() => livingPostmaster(existingPgdata(dataDir)), { timeout: 20_000 }).toBeDefined()
    await impatient.stop('SIGINT')
    expect(livingPostmaster(existingPgdata(dataDir))).toBeUndefined()
  },
  SLOW_MS,
)

const ofSignals = scratchOfFile()
let stopped: Promise<void> | undefined

/** Its Postgres does not run. Made once, because each test stops it again. */
async function stoppedCluster(): Promise<void> {
  const { databasePassword: password } = loadOrCreateSecrets(ofSignals)
  await (await startEmbeddedPostgres({ dataDir: ofSignals, password, durable: false })).stop()
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s takes the Postgres along that a command has started for itself',
  async (signal) => {
    const postmaster = () => livingPostmaster(existingPgdata(ofSignals))
    onTestFinished(() => endPostgres(ofSignals))
    await (stopped ??= stoppedCluster())
    const impatient = started(['migrate'], { DAYBOOK_DATA_DIR: ofSignals })
    await expect.poll(postmaster, { timeout: 20_000, interval: 5 }).toBeDefined()
    expect((await impatient.stop(signal)).code).toBe(130)
    await expect.poll(postmaster, { timeout: 20_000 }).toBeUndefined()
  },
  SLOW_MS,
)
