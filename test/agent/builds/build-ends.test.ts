/** How builds end on a real engine: cancelled, killed, failed, without BuildKit, and with the engine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { buildingOn, processesOf, TASK, textOf } from '../../support/agent/building.ts'
import { codeOf } from '../../support/agent/working.ts'
import { BUSYBOX, loadBusybox } from '../../support/busybox-image.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const isSkipped = noEngine !== undefined
const directory = scratchOfFile()
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
afterAll(() => engine?.stop())
if (engine) await loadBusybox(engine)
const { build, asking, classic } = buildingOn(engine?.socketPath ?? '/nowhere', directory)
const CANARY = 'canary-of-a-secret-7f3a'
const SOON = { timeout: 10_000 }

test.skipIf(isSkipped)(
  'no process has a secret in its arguments, and a cancelled build is gone within 2 s',
  async () => {
    const stop = new AbortController()
    const done = build(`FROM ${BUSYBOX}\nRUN --mount=type=secret,id=TOKEN cat /run/secrets/TOKEN; echo; sleep 4711\n`, {
      secrets: { secrets: [{ name: 'TOKEN', value: CANARY }] },
      signal: stop.signal,
    })
    await expect.poll(() => textOf(done.said).includes(CANARY), SOON).toBe(true)
    await expect.poll(() => processesOf('sleep\u00004711'), SOON).not.toEqual([])
    expect(processesOf(CANARY)).toEqual([])
    const startedMs = performance.now()
    stop.abort()
    expect(await codeOf(done)).toBe('AbortError')
    await expect.poll(() => processesOf('sleep\u00004711'), { timeout: 2_000, interval: 20 }).toEqual([])
    expect(performance.now() - startedMs).toBeLessThan(2_000)
  },
)

test.skipIf(isSkipped)('a build of an agent that was killed ends, and its task makes one image', async () => {
  const payload = asking()
  const dockerfile = `FROM ${BUSYBOX}\nRUN echo begun; sleep 1; test -e /go || sleep 4713\n`
  const secrets = { dockerfile, args: [], secrets: [], registries: [] }
  const program = fileURLToPath(new URL('../../support/agent/build-process.ts', import.meta.url))
  const parts = [engine!.socketPath, directory, TASK, JSON.stringify(payload), JSON.stringify(secrets)]
  const agent = spawn(process.execPath, [program, ...parts], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(agent.stdout, 'data')
  await expect.poll(() => processesOf('sleep\u00004713'), { timeout: 10_000 }).not.toEqual([])
  agent.kill('SIGKILL')
  await expect.poll(() => processesOf('sleep\u00004713'), { timeout: 5_000 }).toEqual([])
  const { imageId } = await build(`FROM ${BUSYBOX}\nRUN echo begun\n`, { payload })
  const labels = encodeURIComponent(JSON.stringify({ label: [`daybook.task=${TASK}`], reference: [payload.tag] }))
  expect((await engine!.api('GET', `/images/json?filters=${labels}`)).map(({ Id }: any) => Id)).toEqual([imageId])
})

test.skipIf(isSkipped)('a step that fails is told, and what it has said is in its log alone', async () => {
  const done = build(`FROM ${BUSYBOX}\nRUN seq 1 500 >&2; echo the reason >&2; exit 7\n`)
  await expect(done).rejects.toMatchObject({
    code: 'BUILD_FAILED',
    message: 'A step of the build ended with exit code 7: its log says why',
  })
  await expect(build('FROM none.invalid/nothing:1\n')).rejects.toMatchObject({ code: 'BUILD_FAILED' })
  await expect(build('NO INSTRUCTION\n')).rejects.toMatchObject({
    code: 'BUILD_FAILED',
    message: expect.stringMatching(/unknown instruction/i),
  })
})

test.skipIf(isSkipped)('where BuildKit is off, the other builder builds what has no secrets', async () => {
  const done = build(`FROM ${BUSYBOX}\nRUN echo by the other one\nEXPOSE 81\n`, { by: classic })
  expect(await done).toMatchObject({ builder: 'CLASSIC', ports: [81] })
  const lines = done.said.filter(({ text }) => !text.includes('LABEL'))
  expect(lines.map(({ of, text }) => `${of} ${text.trim()}`)).toEqual([
    `STEP Step 1/8 : FROM ${BUSYBOX}`,
    'STEP Step 2/8 : RUN echo by the other one',
    'OUT by the other one',
    'STEP Step 3/8 : EXPOSE 81',
  ])
  const secrets = { secrets: [{ name: 'TOKEN', value: CANARY }] }
  expect(await codeOf(build(`FROM ${BUSYBOX}\n`, { by: classic, secrets }))).toBe('BUILDER_CLASSIC')
  const mounting = `FROM ${BUSYBOX}\nRUN --mount=type=cache,target=/c true\n`
  expect(await codeOf(build(mounting, { by: classic }))).toBe('BUILDER_CLASSIC')
  await expect(build(`FROM ${BUSYBOX}\nRUN echo why; exit 3\n`, { by: classic })).rejects.toMatchObject({
    message: 'A step of the build ended with exit code 3: its log says why',
  })
})

test.skipIf(isSkipped)('a build takes no image of another workload, neither by its name nor by its id', async () => {
  const tag = 'daybook/application-01890000-0000-7000-8000-0000000000b2/app:01890000-0000-7000-8000-0000000000d2-f00'
  const { imageId } = await build(`FROM ${BUSYBOX}\nRUN echo secret >/secret\n`, { payload: { tag } })
  // As if an operator or another program had left it there.
  const repo = encodeURIComponent('127.0.0.1:9/team/private')
  await engine!.api('POST', `/images/${imageId}/tag?repo=${repo}&tag=1`)
  for (const name of [tag, '127.0.0.1:9/team/private:1', imageId, imageId.slice('sha256:'.length)])
    for (const by of [undefined, classic]) {
      const takes = build(`FROM ${name}\nRUN cat /secret\n`, by && { by })
      expect(await codeOf(takes), name).toBe('BUILD_FAILED')
      expect(textOf(takes.said)).not.toContain('secret\n')
      const copies = build(`FROM ${BUSYBOX}\nCOPY --from=${name} /secret /\nRUN cat /secret\n`, by && { by })
      expect(await codeOf(copies), name).toBe('BUILD_FAILED')
    }
  // What reads the Dockerfile could ask for any image itself.
  expect(await codeOf(build(`# syntax=${tag}\nFROM scratch\n`))).toBe('FRONTEND_REFUSED')
  const named = { secrets: { args: [{ name: 'BUILDKIT_SYNTAX', value: tag }] } }
  expect(await codeOf(build(`FROM ${BUSYBOX}\nRUN echo as usual\n`, named))).toBe('done')
})

test.skipIf(isSkipped)('an engine that ends during a build is told', async () => {
  const open = new Set<Socket>()
  // As far as the agent can see, the engine has ended.
  const cut = createServer((socket) => {
    const inner = connect(engine!.socketPath)
    for (const each of [socket, inner]) open.add(each.on('error', () => {}))
    socket.pipe(inner).pipe(socket)
  })
  const path = join(directory, 'engine.sock')
  await once(cut.listen(path), 'listening')
  const done = buildingOn(path, directory).build(`FROM ${BUSYBOX}\nRUN echo begun; sleep 4712\n`)
  await expect.poll(() => textOf(done.said), SOON).toContain('begun\n')
  for (const each of open) each.destroy()
  cut.close()
  expect(await codeOf(done)).toBe('ENGINE_LOST')
  await expect.poll(() => processesOf('sleep\u00004712'), SOON).toEqual([])
})
