/** An application goes to another project on a real engine, behind a real HAProxy, under clients. */
import { afterAll, expect, test } from 'vitest'
import { imageBuild } from '../../../src/tasks/builds.ts'
import { proxyPut } from '../../../src/tasks/proxy.ts'
import { releaseStart } from '../../../src/tasks/release-start.ts'
import { releaseRemove, releaseRetire } from '../../../src/tasks/releases.ts'
import { volumeCopy } from '../../../src/tasks/volumes.ts'
import { BUSYBOX, loadBusybox } from '../../support/busybox-image.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { clients, noHaproxy } from '../../support/haproxy.ts'
import { agentOnEngine } from '../../support/panel/engine-agent.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const isSkipped = noEngine !== undefined || noHaproxy !== undefined
const DOMAIN = 'apps.example.com'

/** It says who answers, and what the volume holds. */
const SERVE = `
mkdir -p /tmp/www/cgi-bin
[ -e /data/kept ] || echo "$DAYBOOK_DEPLOYMENT_ID" >/data/kept
printf '%s' "$ANSWER" >/tmp/www/cgi-bin/index.cgi
chmod 755 /tmp/www/cgi-bin/index.cgi
exec httpd -f -p 8080 -h /tmp/www`
const ANSWER = `#!/bin/sh
body=$(head -c "\${CONTENT_LENGTH:-0}")
[ -n "$QUERY_STRING" ] && usleep "\${QUERY_STRING#ms=}000"
printf 'Content-Type: application/json\\r\\n\\r\\n{"from":"%s","body":"%s"}' "$DAYBOOK_DEPLOYMENT_ID" "$body"
`

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const send = (method: string, path: string, body?: unknown) =>
  panel.call(method, `/api/${path}`, { as: root.as, ...(body === undefined ? {} : { body }) })

const engine = isSkipped ? undefined : await startEngine({ publishes: true })
if (engine) await loadBusybox(engine)
// No registry is asked for it.
ok(await send('PATCH', 'admin/settings/baseImages', { value: `static=${BUSYBOX}` }))
const KINDS = [imageBuild, releaseStart, releaseRetire, releaseRemove, proxyPut, volumeCopy]
const agent =
  engine &&
  (await agentOnEngine(panel, {
    servers,
    owner: root,
    engineId: 'engine of transfers',
    engine,
    kinds: Object.fromEntries(KINDS.map(({ name, version }) => [name, version])),
  }))
afterAll(async () => {
  await agent?.stop()
  await engine?.stop()
})

async function place() {
  const projectId = await floor.project(root)
  return { projectId, environmentId: await floor.environment(root, projectId, 'live') }
}

async function application(): Promise<any> {
  ok(await send('PATCH', 'admin/settings/appsDomain', { value: DOMAIN }))
  const volumes = [{ name: 'data', mountPath: '/data', shared: true }]
  const runs = { source: { kind: 'DOCKERFILE' }, command: ['sh', '-c', SERVE], port: 8_080, volumes }
  const more = { memoryMiB: 64, cpuMillis: 500, drainSeconds: 10, stopSeconds: 5, serverId: agent!.serverId }
  const made = ok(await send('POST', 'applications', { ...(await place()), ...runs, ...more, name: 'Moved' }), 201)
  ok(await send('PATCH', `applications/${made.id}/files/dockerfile`, { content: `FROM ${BUSYBOX}\nCMD ["sh"]\n` }))
  const set = [{ name: 'ANSWER', value: ANSWER, secret: false, when: 'RUN' }]
  ok(await send('PATCH', `applications/${made.id}/env`, { set, remove: [] }))
  return ok(await send('PATCH', `applications/${made.id}/url-mode`, { mode: 'CLEAN' })) && made
}

const ended = (id: string) =>
  panel.settledUntil(
    async () => ok(await send('GET', `deployments/${id}`)),
    ({ status }: any) => ['SUCCEEDED', 'FAILED'].includes(status),
  )
const networks = async (): Promise<string[]> =>
  (await engine!.api('GET', '/networks'))
    .map(({ Name }: any) => Name)
    .filter((name: string) => name.startsWith('daybook-'))
const containersOf = async (id: string): Promise<any[]> =>
  (await engine!.api('GET', '/containers/json')).filter(
    ({ Labels }: any) => Labels['daybook.workload'] === `APPLICATION/${id}`,
  )

test.skipIf(isSkipped)(
  'no request is lost while it joins the other network, and a copy of it has what its volume held',
  async () => {
    const made = await application()
    const first = await ended(ok(await send('POST', `applications/${made.id}/redeploy`), 202).id)
    expect(first, JSON.stringify(first.failure)).toMatchObject({ status: 'SUCCEEDED' })
    expect(await networks()).toEqual([`daybook-${made.environmentId}`])
    await panel.settle()

    const load = clients(agent!.httpPort, { count: 6, host: `${made.slug}.${DOMAIN}` })
    await expect.poll(() => load.tally.answered).toBeGreaterThan(0)
    const there = await place()
    ok(await send('POST', `applications/${made.id}/transfer-project`, there))
    const [rolled] = ok(await send('GET', `applications/${made.id}/deployments`)).items
    expect(await ended(rolled.id)).toMatchObject({ status: 'SUCCEEDED', kind: 'RESTART', ...there })
    const answered = load.tally.answered
    await expect.poll(() => load.tally.answered).toBeGreaterThan(answered)
    const { lost, from } = await load.stop()
    expect(lost).toEqual([])
    expect(from).toEqual(new Set([first.id, rolled.id]))
    // The network that nothing uses any more goes with the containers from before.
    await expect.poll(networks).toEqual([`daybook-${there.environmentId}`])
    await expect
      .poll(async () => (await containersOf(made.id)).map(({ Labels }) => Labels['daybook.deployment']))
      .toEqual([rolled.id])

    const asked = await send('POST', `applications/${made.id}/duplicate`, { name: 'Copy', copyData: true })
    const copy = ok(asked, 201)
    const done = await panel.settledUntil(
      async () => ok(await send('GET', `applications/${copy.id}`)).dataCopy,
      ({ state }: any) => state !== 'RUNNING',
    )
    expect(done).toMatchObject({ state: 'DONE', volumes: 1, code: null })
    expect((await containersOf(made.id)).map(({ State }) => State)).toEqual(['running'])
    const second = await ended(ok(await send('POST', `applications/${copy.id}/redeploy`), 202).id)
    expect(second, JSON.stringify(second.failure)).toMatchObject({ status: 'SUCCEEDED' })
    const command = ['cat', '/data/kept']
    const [{ Id }] = await containersOf(copy.id)
    const { Id: exec } = await engine!.api('POST', `/containers/${Id}/exec`, { Cmd: command, AttachStdout: true })
    expect(await engine!.api('POST', `/exec/${exec}/start`, { Detach: false })).toContain(first.id)
  },
)
