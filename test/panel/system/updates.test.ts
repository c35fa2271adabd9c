/** Updates of the panel: a real licensing service offers versions, and the panel takes only what it has signed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { panelUpdates } from '#panel/system/decider'
import { panelUpdateEvents } from '#panel/system/events'
import { updateAmong } from '#panel/system/update-checks'
import packageJson from '../../../package.json' with { type: 'json' }
import { given } from '../../support/decider-spec.ts'
import { HOUR_MS, startPanelAndLicensing } from '../../support/panel/panel-and-licensing.ts'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'

const filesDir = await mkdtemp(join(tmpdir(), 'releases-'))
afterAll(() => rm(filesDir, { recursive: true }))
const { service, panel, ask, sold, network, goAway, comeBack } = await startPanelAndLicensing({}, { filesDir })
const { email } = await panel.account('SUPERADMIN')
let as = await panel.signIn(email)
const call = (method: string, path: string, body?: object) =>
  panel.call(method, `/api${path}`, { as, ...(body ? { body } : {}) })
const updates = async () => ok(await call('GET', '/system/updates'))
const check = () => call('POST', '/system/updates/check')
const RUNNING = packageJson.version

async function passTime(ms: number): Promise<void> {
  panel.passTime(ms)
  service.passTime(ms)
  as = await panel.signIn(email)
}

async function publish(version: string, channel = 'stable'): Promise<void> {
  const { id } = await ask('POST', '/api/admin/versions', { version, channel })
  const { status } = await fetch(`${service.url}/api/admin/versions/${id}/artifacts?name=panel.tgz`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await service.staff()}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(Buffer.from(version)),
  })
  expect(status).toBe(201)
  await ask('POST', `/api/admin/versions/${id}/publish`)
}

test('a panel without a license asks no service', async () => {
  expect(await updates()).toEqual({
    current: { version: RUNNING, sha: null },
    available: null,
    state: 'NO_LICENSE',
    how: 'BY_HAND',
    remedy: null,
    obstacle: null,
    install: null,
    problem: null,
    checkedAt: null,
    nextCheckAt: null,
    agents: { version: null, update: null },
  })
  expect((await check()).status).toBe(409)
  await panel.settle()
  expect(network.asked + network.askedForVersions).toBe(0)
})

test('a newer version is found once a key is set, then hourly, and installed by hand', async () => {
  await ask('POST', '/api/admin/plans', { slug: 'pro', name: 'Pro', maxActivations: 5, features: [] })
  await publish('99.0.0')
  await publish('100.0.0-beta.1', 'beta')
  ok(await call('POST', '/admin/license', { licenseKey: (await sold('pro')).licenseKey }))
  expect((await updates()).state).toBe('NOT_CHECKED')
  await panel.settle()
  const found = await updates()
  expect(found).toMatchObject({
    state: 'AVAILABLE',
    available: { version: '99.0.0', files: [{ name: 'panel.tgz', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] },
    remedy: expect.stringContaining('99.0.0'),
    problem: null,
  })
  const waitMs = Date.parse(found.nextCheckAt) - Date.parse(found.checkedAt)
  expect(waitMs).toBeGreaterThanOrEqual(0.9 * HOUR_MS)
  expect(waitMs).toBeLessThanOrEqual(1.1 * HOUR_MS)
  expect(refusalIn(await call('POST', '/system/updates/apply'))).toEqual([409, 'BY_HAND'])
  await publish('99.1.0')
  await passTime(1.1 * HOUR_MS)
  await panel.settle()
  expect((await updates()).available.version).toBe('99.1.0')
  const { runs, lines } = ok(await call('GET', '/system/updates/log'))
  expect(runs).toEqual([])
  expect(lines.map(({ text }: { text: string }) => text)).toEqual([
    `Version 99.1.0 was found while ${RUNNING} ran`,
    `Version 99.0.0 was found while ${RUNNING} ran`,
  ])
})

test('a service that does not answer takes back nothing, and an answer for another request is none', async () => {
  goAway()
  expect(ok(await check())).toMatchObject({
    state: 'UNREACHABLE',
    available: { version: '99.1.0' },
    problem: expect.stringContaining('did not respond'),
  })
  let stale: Response | undefined
  network.by = async ({ pathname, search }, init) => {
    const answered = await fetch(service.url + pathname + search, init)
    if (!pathname.endsWith('/versions')) return answered
    stale ??= answered
    return stale.clone()
  }
  expect(ok(await check()).state).toBe('AVAILABLE')
  expect(ok(await check())).toMatchObject({ state: 'UNREACHABLE', problem: expect.stringContaining('not signed') })
  comeBack()
  expect(ok(await check()).state).toBe('AVAILABLE')
  const outcomes = (await panel.history()).flatMap(({ type, data }) =>
    type === 'PanelUpdateChecked' ? [data['outcome']] : [],
  )
  expect(outcomes).toEqual(['FAILED', 'FOUND', 'FAILED', 'FOUND'])
})

test('an installation checks six times an hour, and no more', async () => {
  const statuses: number[] = []
  for (let nth = 5; nth <= 7; nth += 1) statuses.push((await check()).status)
  expect(statuses).toEqual([200, 200, 429])
})

test('what runs in place of another version is noted once', () => {
  const found = panelUpdateEvents.PanelUpdateFound({ panelUpdateId: '2.0.0', runningVersion: '1.0.0' })
  const applied = panelUpdateEvents.PanelUpdateApplied({ panelUpdateId: '2.0.0', formerVersion: '1.0.0' })
  const noted = { running: '2.0.0', offered: null }
  given(panelUpdates).when('NoteVersions', noted).then([])
  given(panelUpdates, [found]).when('NoteVersions', { running: '1.0.0', offered: '2.0.0' }).then([])
  given(panelUpdates, [found]).when('NoteVersions', noted).then([applied])
  given(panelUpdates, [found, applied]).when('NoteVersions', noted).then([])
})

test('a version is installed at a time, and the end of another task is none of it', () => {
  const asked = { panelUpdateId: '2.0.0', taskId: uuidv7(), sha256: 'a', size: 1 }
  const { panelUpdateId, taskId } = asked
  const ask = panelUpdateEvents.PanelUpdateAsked(asked)
  const failed = panelUpdateEvents.PanelUpdateFailed({ panelUpdateId, taskId, code: 'EXPIRED' })
  const installed = panelUpdateEvents.PanelUpdateInstalled({ panelUpdateId, taskId })
  given(panelUpdates).when('Ask', asked).then([ask])
  given(panelUpdates, [ask])
    .when('Ask', asked)
    .refused(409, /2.0.0 is being installed/)
  given(panelUpdates, [ask]).when('NoteEnd', { taskId: uuidv7(), code: null }).then([])
  given(panelUpdates, [ask]).when('NoteEnd', { taskId, code: null }).then([installed])
  given(panelUpdates, [ask]).when('NoteEnd', { taskId, code: 'EXPIRED' }).then([failed])
  given(panelUpdates, [ask, failed]).when('NoteEnd', { taskId, code: 'EXPIRED' }).then([])
  given(panelUpdates, [ask, failed]).when('Ask', asked).then([ask])
})

test('the newest is offered if it is newer, or has other files than the installed one', () => {
  const offered = (version: string, sha256 = 'a') => ({
    version,
    channel: 'stable',
    publishedAt: '2026-01-01T00:00:00.000Z',
    artifacts: [{ name: 'panel.tgz', size: 1, sha256 }],
  })
  const among = (all: string[], version: string, sha256: string | null = null) =>
    updateAmong(
      all.map((each) => offered(each)),
      { version, sha256 },
    )?.version
  expect(among([], '1.0.0')).toBeUndefined()
  expect(among(['1.9.0', '1.10.0', '1.2.0'], '1.9.0')).toBe('1.10.0')
  expect(among(['1.9.0'], '1.10.0')).toBeUndefined()
  expect(among(['1.9.0'], '1.9.0')).toBeUndefined()
  expect(among(['1.9.0'], '1.9.0', 'a')).toBeUndefined()
  expect(among(['1.9.0'], '1.9.0', 'b')).toBe('1.9.0')
})
