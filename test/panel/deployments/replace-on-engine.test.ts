/** An application with a volume of its own is replaced on a real engine, behind a real HAProxy, under clients. */
import { afterAll, expect, test } from 'vitest'
import { taskOf } from '#panel/deployments/tasks'
import { imageBuild } from '../../../src/tasks/builds.ts'
import { proxyPut } from '../../../src/tasks/proxy.ts'
import { releaseReplace } from '../../../src/tasks/release-replace.ts'
import { releaseStart } from '../../../src/tasks/release-start.ts'
import { releaseRemove, releaseRetire } from '../../../src/tasks/releases.ts'
import { BUSYBOX, loadBusybox } from '../../support/busybox-image.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { clients, noHaproxy } from '../../support/haproxy.ts'
import { agentOnEngine } from '../../support/panel/engine-agent.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const isSkipped = noEngine !== undefined || noHaproxy !== undefined
const DOMAIN = 'apps.example.com'

/** Ends at once if another container uses the volume. It says in the volume that it has been there. */
const SERVE = `
[ -e /data/used ] && echo 'The volume is in use' && exit 7
touch /data/used
echo "$DAYBOOK_DEPLOYMENT_ID" >>/data/releases
trap 'rm /data/used; echo Goodbye; exit 0' TERM
mkdir -p /tmp/www/cgi-bin
printf '%s' "$ANSWER" >/tmp/www/cgi-bin/index.cgi
chmod 755 /tmp/www/cgi-bin/index.cgi
httpd -f -p 8080 -h /tmp/www &
wait`
/** As the clients expect it. */
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
const KINDS = [imageBuild, releaseStart, releaseReplace, releaseRetire, releaseRemove, proxyPut]
const agent =
  engine &&
  (await agentOnEngine(panel, {
    servers,
    owner: root,
    engineId: 'engine of replacements',
    engine,
    kinds: Object.fromEntries(KINDS.map(({ name, version }) => [name, version])),
  }))
afterAll(async () => {
  await agent?.stop()
  await engine?.stop()
})

async function application(): Promise<{ id: string; slug: string }> {
  ok(await send('PATCH', 'admin/settings/appsDomain', { value: DOMAIN }))
  ok(await send('PATCH', 'admin/settings/baseImages', { value: `static=${BUSYBOX}` }))
  const projectId = await floor.project(root)
  const environmentId = await floor.environment(root, projectId, 'live')
  const volumes = [{ name: 'data', mountPath: '/data', shared: false }]
  const place = { projectId, environmentId, serverId: agent!.serverId }
  const runs = { source: { kind: 'DOCKERFILE' }, command: ['sh', '-c', SERVE], port: 8_080, volumes }
  const more = { memoryMiB: 64, cpuMillis: 500, drainSeconds: 10, stopSeconds: 5 }
  const made = ok(await send('POST', 'applications', { ...place, ...runs, ...more, name: 'Kept' }), 201)
  ok(await send('PATCH', `applications/${made.id}/files/dockerfile`, { content: `FROM ${BUSYBOX}\nCMD ["sh"]\n` }))
  const set = [{ name: 'ANSWER', value: ANSWER, secret: false, when: 'RUN' }]
  ok(await send('PATCH', `applications/${made.id}/env`, { set, remove: [] }))
  ok(await send('PATCH', `applications/${made.id}/url-mode`, { mode: 'CLEAN' }))
  return made
}

const ends = (id: string): Promise<any> =>
  panel.settledUntil(
    async () => ok(await send('GET', `deployments/${id}`)),
    ({ status }) => ['SUCCEEDED', 'FAILED'].includes(status),
  )
const running = async (): Promise<string[]> =>
  (await engine!.api('GET', '/containers/json')).map(({ Labels }: any) => Labels['daybook.deployment'])

test.skipIf(isSkipped)(
  'no request is lost while releases with a volume replace each other, and one that fails is taken back',
  async () => {
    const { id, slug } = await application()
    const deploy = async (what: string, body?: unknown) =>
      ends(ok(await send('POST', `applications/${id}/${what}`, body), 202).id)
    const first = await deploy('redeploy')
    expect(first, JSON.stringify(first.failure)).toMatchObject({ status: 'SUCCEEDED' })
    const load = clients(agent!.httpPort, { count: 6, host: `${slug}.${DOMAIN}` })
    const second = await deploy('restart')
    expect(second, JSON.stringify(second.failure)).toMatchObject({ status: 'SUCCEEDED' })
    expect(await running()).toEqual([second.id])

    ok(await send('PATCH', `applications/${id}`, { command: ['sh', '-c', 'exit 9'] }))
    const failed = await deploy('restart')
    expect(failed).toMatchObject({ status: 'FAILED', failure: { step: 'STARTING', code: 'EXITED' } })
    expect(await running()).toEqual([second.id])
    const answered = load.tally.answered
    await expect.poll(() => load.tally.answered).toBeGreaterThan(answered)
    const { lost, from } = await load.stop()
    expect(lost).toEqual([])
    expect(from).toEqual(new Set([first.id, second.id]))

    await expect.poll(async () => (await engine!.api('GET', '/containers/json?all=true')).length).toBe(1)
    // The one that replaces a release asks for its end.
    const retired = taskOf(second, releaseRetire)
    const lastWords = async () => ok(await send('GET', `agent/tasks/${retired}`)).log.lines.map(({ text }: any) => text)
    await expect.poll(lastWords).toContain('Goodbye')
    const { log } = ok(await send('GET', `applications/${id}/deployments/${second.id}`))
    expect(log.lines.map(({ text }: any) => text)).toContainEqual(
      expect.stringMatching(/^The old release has stopped: 0/),
    )
  },
)
