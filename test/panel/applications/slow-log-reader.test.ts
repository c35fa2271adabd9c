/** A follow of logs whose reader is slower than the containers: a real agent on a real engine. */
import { afterAll, expect, test } from 'vitest'
import { follow } from '#panel/agent/follow'
import { installationOf } from '#panel/agent/installation'
import { logsFollow } from '../../../src/tasks/applications.ts'
import { noEngine } from '../../support/docker-engine.ts'
import { applicationsOn } from '../../support/panel/application-on-host.ts'
import { realHost } from '../../support/panel/real-host.ts'
import { startPanel } from '../../support/panel/service.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const directory = scratchOfFile()
const host = noEngine === undefined ? await realHost(panel, root, directory) : undefined
afterAll(() => host?.stop())

test.skipIf(noEngine)(
  'a reader that is behind makes the host wait, and then has every line once and in order',
  async () => {
    const app = await (await applicationsOn(panel, host!))(await panel.somebody())
    const installation = await installationOf(panel.panel.vault)
    const workload = { kind: 'APPLICATION' as const, id: app.id }
    const params = { installation, workload, service: null, deploymentId: null, secretNames: [] }
    const leave = new AbortController()
    const { pool: telemetry, services: service, clock } = panel.panel
    const call = { telemetry, service, now: clock.now(), abortSignal: leave.signal }
    const lines = (await follow(call, logsFollow, host!.serverId, params))[Symbol.asyncIterator]()
    expect((await lines.next()).value).toMatchObject([{ of: 'STEP' }])
    const most = 5_000
    const loop = `i=0; while [ $i -lt ${most} ]; do i=$((i+1)); echo "$i $p"; done`
    await app.start(`p=$(head -c 5000 /dev/zero | tr "\\0" x); ${loop}`)
    const waiting = async () =>
      (await panel.superuser.query('SELECT coalesce(sum(octet_length(bytes)), 0)::int AS n FROM telemetry.live_piece'))
        .rows[0].n
    await expect.poll(waiting, { timeout: 40_000 }).toBeGreaterThan(8 * 1_024 ** 2)
    expect(await waiting()).toBeLessThan(10 * 1_024 ** 2)
    const heard: number[] = []
    while (heard.length < most)
      for (const { text } of (await lines.next()).value as { text: string }[])
        heard.push(Number.parseInt(JSON.parse(text)[6], 10))
    expect(heard).toEqual(Array.from({ length: most }, (_none, nth) => nth + 1))
    leave.abort()
    await lines.return!()
  },
  // Of 25 MB in small pieces, beside other files on a busy machine.
  180_000,
)
