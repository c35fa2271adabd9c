/**
 * `npm run demo`: a complete tour against a service of its own. Every step is checked; exits with 1 at the
 * first failure.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { activate, hearsOfTheEnd, heartbeats } from './demo/panel.ts'
import { visits } from './demo/shop.ts'
import { client, show, tell } from './demo/telling.ts'
import type { Call } from './demo/telling.ts'

const START_SECONDS_MAX = 120
const ADMIN = { email: 'ada@daybook.test', password: randomBytes(18).toString('base64url') }
const ORDER = { email: 'grace@customer.test', planSlug: 'starter', seats: 3, reference: 'order-1843' }

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

const shortened = (text: string): string => `${text.slice(0, 28)}…${text.slice(-12)} (${text.length} characters)`

async function untilReady(call: Call, service: ChildProcess): Promise<void> {
  const until = performance.now() + START_SECONDS_MAX * 1_000
  for (;;) {
    assert.equal(service.exitCode, null, 'the service ended while it started')
    const ready = await call('GET', '/api/health/ready').catch(() => undefined)
    if (ready?.status === 200) return
    assert.ok(performance.now() < until, `the service did not start within ${START_SECONDS_MAX} s`)
    await pause(100)
  }
}

async function signIn(call: Call): Promise<string> {
  tell('A member of staff signs in')
  const login = await call('POST', '/api/admin/auth/login', { body: ADMIN })
  assert.equal(login.status, 200)
  show('roles', login.body.user.roles.join(', '))
  return login.body.accessToken
}

async function mint(call: Call, session: string): Promise<string> {
  tell('The member of staff mints a machine token for the shop that sells the product')
  const body = { name: 'web shop', permissions: ['licenses:manage', 'licenses:view', 'settings:manage'] }
  const minted = await call('POST', '/api/admin/machine-tokens', { as: session, body })
  assert.equal(minted.status, 201)
  assert.deepEqual(minted.body.token.permissions, ['licenses:manage', 'licenses:view'])
  show('secret', `${minted.body.token.prefix}… (shown once, only its hash is stored)`)
  show(
    'permissions',
    `${minted.body.token.permissions.join(', ')} (settings:manage was dropped: no machine may hold it)`,
  )
  const refused = await call('GET', '/api/admin/machine-tokens', { as: minted.body.secret })
  assert.deepEqual(refused, {
    status: 403,
    body: { statusCode: 403, message: 'This endpoint is not available to machine tokens. Use a staff session.' },
  })
  show('as a token', `GET /api/admin/machine-tokens → 403 ${refused.body.message}`)
  return minted.body.secret
}

async function provision(call: Call, token: string): Promise<any> {
  tell('The shop sells a license: one call creates customer, subscription and license')
  const sold = await call('POST', '/api/admin/provisioning', { as: token, body: ORDER })
  assert.equal(sold.status, 201)
  assert.equal(sold.body.created, true)
  show('customer', `${sold.body.customer.id} (${sold.body.customer.email})`)
  show('license', `${sold.body.license.keyId}, expires ${sold.body.license.expiresAt}`)
  show('install with', `${sold.body.installCommand.slice(0, 84)}…`)
  return sold.body
}

async function replay(call: Call, token: string, sold: any): Promise<void> {
  tell('The answer was lost, so the shop repeats the call with the same reference')
  const again = await call('POST', '/api/admin/provisioning', { as: token, body: ORDER })
  assert.equal(again.status, 200)
  assert.deepEqual(again.body, { ...sold, created: false, customer: { ...sold.customer, created: false } })
  show('answer', '200, created: false, the same license: nothing was created twice')
}

async function verifyOffline(call: Call, sold: any): Promise<void> {
  tell('The license is verified offline, with the public keys alone')
  const keys = await call('GET', '/api/v1/license/keys')
  const { payload, protectedHeader } = await jwtVerify(sold.licenseKey, createLocalJWKSet({ keys: keys.body.keys }), {
    algorithms: ['EdDSA'],
    audience: 'daybook-panel',
    typ: 'daybook-license+jwt',
  })
  assert.equal(payload.jti, sold.license.keyId)
  assert.equal(payload['seats'], ORDER.seats)
  show('key', shortened(sold.licenseKey))
  show('signed by', `${protectedHeader.alg} ${protectedHeader.kid}`)
  const { plan, seats, max } = payload as Record<string, unknown> & { plan: string; seats: number; max: number }
  show('claims', `plan ${plan}, ${seats} seats, at most ${max} activations`)
  const [head, body, signature = ''] = sold.licenseKey.split('.')
  const forged = [head, body, (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1)].join('.')
  await assert.rejects(jwtVerify(forged, createLocalJWKSet({ keys: keys.body.keys })))
  show('altered', 'refused')
}

async function readKey(call: Call, token: string, sold: any): Promise<void> {
  tell('Support reads the key again: it is computed from the events, and the read is recorded')
  const read = await call('GET', `/api/admin/licenses/${sold.license.id}/key`, { as: token })
  assert.equal(read.status, 200)
  assert.equal(read.body.licenseKey, sold.licenseKey)
  show('key', 'byte for byte the same')
}

async function revoke(call: Call, token: string, sold: any): Promise<void> {
  tell('The payment bounced: the license is revoked')
  const path = `/api/admin/licenses/${sold.license.id}/revoke`
  const revoked = await call('POST', path, { as: token, body: { reason: 'payment bounced' } })
  assert.equal(revoked.status, 200)
  assert.equal(revoked.body.effectiveStatus, 'REVOKED')
  show('status', revoked.body.effectiveStatus)
  const refused = await call('POST', '/api/admin/provisioning', { as: token, body: ORDER })
  const message = `Reference ${ORDER.reference} has no active license`
  assert.deepEqual(refused, { status: 400, body: { statusCode: 400, message } })
  show('replay now', `400 ${message}: revoked access is not restored`)
}

async function audit(call: Call, session: string): Promise<void> {
  tell('The audit trail contains all of it, and consists of the events themselves')
  const trail = await call('GET', '/api/admin/audit?sort=position&pageSize=100', { as: session })
  assert.equal(trail.status, 200)
  const actions = trail.body.items.map(({ action }: { action: string }) => action)
  const story = ['staff_session.started', 'machine_token.minted', 'customer.registered', 'subscription.created']
  story.push(
    'instance.activated',
    'license.issued',
    'provisioning.completed',
    'provisioning.replayed',
    'license.key_read',
    'license.revoked',
  )
  for (const action of story) assert.ok(actions.includes(action), `${action} is missing from the audit trail`)
  for (const { position, actor, action, sentence } of trail.body.items)
    console.log(
      `    ${String(position).padStart(3)}  ${(actor.label ?? actor.type).padEnd(18)} ${action.padEnd(26)} ${sentence}`,
    )
}

async function story(call: Call, url: string, mailbox: string): Promise<void> {
  const session = await signIn(call)
  const token = await mint(call, session)
  const sold = await provision(call, token)
  await replay(call, token, sold)
  await verifyOffline(call, sold)
  await readKey(call, token, sold)
  const panel = await activate(call, url, session, sold.licenseKey)
  await heartbeats(panel)
  await visits(call, ORDER.email, sold.license.keyId, mailbox)
  await revoke(call, token, sold)
  await hearsOfTheEnd(panel)
  await audit(call, session)
}

const directory = mkdtempSync(join(tmpdir(), 'daybook-demo-'))
// If root starts it, Postgres runs as another user, who has to enter the directory.
chmodSync(directory, 0o711)
const port = await freePort()
const url = `http://localhost:${port}`
const said: string[] = []
const service = spawn(process.execPath, [join(import.meta.dirname, '../bin/daybook.mjs'), 'start'], {
  env: {
    PATH: process.env['PATH'],
    LICENSING_PORT: String(port),
    PANEL_PORT: String(await freePort()),
    DAYBOOK_DATA_DIR: join(directory, 'data'),
    SHOP_URL: 'http://localhost/shop',
    DAYBOOK_ADMIN_EMAIL: ADMIN.email,
    DAYBOOK_ADMIN_PASSWORD: ADMIN.password,
  },
  stdio: ['ignore', 'pipe', 'pipe'],
})
service.stdout.on('data', (text) => said.push(String(text)))
service.stderr.on('data', (text) => said.push(String(text)))

try {
  tell('A licensing service starts, with a Postgres of its own, in an empty directory')
  const call = client(url)
  const before = performance.now()
  await untilReady(call, service)
  show('ready after', `${((performance.now() - before) / 1_000).toFixed(1)} s`)
  await story(call, url, join(directory, 'data', 'mailbox'))
  console.log('\nEvery step had the expected result.')
} catch (error) {
  console.error(error instanceof Error ? `\nFailed: ${error.message}` : error)
  console.error(said.join(''))
  process.exitCode = 1
} finally {
  if (service.exitCode === null) {
    service.kill('SIGTERM')
    await once(service, 'exit')
  }
  rmSync(directory, { recursive: true, force: true })
}
