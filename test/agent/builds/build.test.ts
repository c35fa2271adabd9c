/** Builds on a real engine, by its API alone. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { buildPerformer } from '../../../src/agent/builds/build.ts'
import { hostEngine } from '../../../src/agent/host/engine.ts'
import { secretFilter } from '../../../src/agent/secret-filter.ts'
import { codeOf, perform } from '../../support/agent/working.ts'
import type { Said } from '../../support/agent/working.ts'
import { BUSYBOX, loadBusybox } from '../../support/busybox-image.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const isSkipped = noEngine !== undefined
const directory = scratchOfFile()
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
afterAll(() => engine?.stop())
if (engine) await loadBusybox(engine)

const host = { ...hostEngine(`unix://${engine?.socketPath ?? '/nowhere'}`), directory }
const builder = buildPerformer(host)
const WORKLOAD = { kind: 'APPLICATION', id: '01890000-0000-7000-8000-000000000001' }
const DEPLOYMENT = '01890000-0000-7000-8000-0000000000d1'
const TASK = '01890000-0000-7000-8000-0000000000aa'

interface Result {
  readonly imageId: string
  readonly bytes: number
  readonly ports: number[]
  readonly builder: string
  readonly cachedSteps: number
}
interface Asked {
  readonly payload?: object
  readonly secrets?: object
  readonly signal?: AbortSignal
  readonly taskId?: string
  readonly by?: typeof builder
}

let names = 0
const asking = (more: object = {}) => {
  names += 1
  return {
    installation: 'one',
    workload: WORKLOAD,
    deploymentId: DEPLOYMENT,
    service: 'app',
    context: 'EMPTY',
    directory: '',
    dockerfile: null,
    target: null,
    tag: `daybook/test:${names}`,
    timeoutSeconds: 60,
    ...more,
  }
}
function build(dockerfile: string | null, { payload = {}, secrets = {}, by = builder, ...doing }: Asked = {}) {
  const asked = asking(payload)
  const all = { dockerfile, args: [], secrets: [], registries: [], ...secrets }
  const done = perform<Result>(by, asked, { secrets: all, taskId: TASK, ...doing })
  return Object.assign(done, { tag: asked.tag, redacts: by.redacts!(all) })
}
const inspect = (name: string): Promise<any> => engine!.api('GET', `/images/${name}/json`)
const textOf = (said: readonly Said[]): string => said.map(({ text }) => text).join('\n')

/** The source of a deployment, as a fetch has left it. */
function source(id: string, files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}) {
  const root = join(directory, 'sources', `application-${WORKLOAD.id}`, id)
  mkdirSync(root, { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path))
  return { context: 'FETCHED', deploymentId: id }
}

test.skipIf(isSkipped)('an image is built, has its labels, and its steps are the log', async () => {
  const text = `FROM ${BUSYBOX}\nARG GREETING\nRUN echo "$GREETING"; echo wrong >&2\nEXPOSE 8080 53/udp\n`
  const done = build(text, { secrets: { args: [{ name: 'GREETING', value: 'good day' }] } })
  const result = await done
  const { Id, Size, Config } = await inspect(done.tag)
  expect(result).toEqual({ imageId: Id, bytes: Size, ports: [53, 8_080], builder: 'BUILDKIT', cachedSteps: 0 })
  expect(Config.Labels).toEqual({
    'daybook.installation': 'one',
    'daybook.task': TASK,
    'daybook.workload': `APPLICATION/${WORKLOAD.id}`,
    'daybook.deployment': DEPLOYMENT,
    'daybook.service': 'app',
  })
  const run = '[2/2] RUN echo "$GREETING"; echo wrong >&2'
  const lines = done.said.filter(({ text: line }) => !line.startsWith('[1/2]'))
  expect(lines).toEqual([
    { of: 'STEP', text: run },
    { of: 'OUT', text: 'good day\n' },
    { of: 'ERR', text: 'wrong\n' },
    { of: 'STEP', text: expect.stringMatching(/^\[2\/2\] RUN .*: \d+\.\d s$/) },
  ])
  const again = build(text, { secrets: { args: [{ name: 'GREETING', value: 'good day' }] } })
  expect((await again).cachedSteps).toBe(1)
  expect(textOf(again.said)).toContain(`${run}: cached`)
})

test.skipIf(isSkipped)('an image that an earlier agent has built for the task is taken over', async () => {
  const text = `FROM ${BUSYBOX}\nRUN cat /proc/sys/kernel/random/uuid >/id\n`
  const first = build(text, { payload: { tag: 'daybook/kept:1' } })
  const { imageId } = await first
  const second = build(text, { payload: { tag: 'daybook/kept:1' } })
  expect([(await second).imageId, textOf(second.said)]).toEqual([imageId, 'The image daybook/kept:1 is there already'])
  const other = build(`${text}LABEL a=b\n`, {
    payload: { tag: 'daybook/kept:1' },
    taskId: '01890000-0000-7000-8000-0000000000ab',
  })
  expect((await other).imageId).not.toBe(imageId)
})

const CANARY = 'canary-of-a-secret-7f3a'
const LINES = ['-----BEGIN CANARY-----', 'first canary line', 'second canary line', '-----END CANARY-----'].join('\n')

/** Whether a text is in a file below the directory. */
const isBelow = (root: string, text: string): boolean => {
  try {
    execFileSync('grep', ['-r', '-q', '-a', '-F', '--devices=skip', '-e', text, root], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.skipIf(isSkipped)('a secret reaches its step, and neither log, history, layer nor data root', async () => {
  const mounts = ['TOKEN', 'KEY'].map((id) => `--mount=type=secret,id=${id}`).join(' ')
  const shows =
    'cat /run/secrets/TOKEN; echo; cat /run/secrets/KEY; base64 /run/secrets/KEY; printf %s "$(cat /run/secrets/TOKEN)" | base64'
  const done = build(`FROM ${BUSYBOX}\nRUN ${mounts} ${shows}; wc -c </run/secrets/TOKEN >/size; echo done\n`, {
    secrets: {
      secrets: [
        { name: 'TOKEN', value: CANARY },
        { name: 'KEY', value: LINES },
      ],
    },
  })
  await done
  const filter = secretFilter(done.redacts)
  const log = done.said.map(({ text }) => filter.push(text)).join('') + filter.end()
  expect(textOf(done.said)).toContain(CANARY)
  expect(log).toContain('done')
  const parts = [
    CANARY,
    'first canary line',
    Buffer.from(CANARY).toString('base64').slice(0, 20),
    Buffer.from(LINES).toString('base64').slice(4, 40),
  ]
  for (const part of parts) expect(log).not.toContain(part)
  const history = JSON.stringify(await engine!.api('GET', `/images/${done.tag}/history`))
  for (const part of parts) expect(history).not.toContain(part)
  const saved = await new Promise<Buffer>((resolve, reject) => {
    request({ socketPath: engine!.socketPath, path: `/v1.41/images/${done.tag}/get` }, async (response) => {
      const pieces: Buffer[] = []
      for await (const piece of response) pieces.push(piece as Buffer)
      resolve(Buffer.concat(pieces))
    })
      .on('error', reject)
      .end()
  })
  expect(saved.includes('size')).toBe(true)
  for (const part of parts) {
    expect(saved.includes(part)).toBe(false)
    expect(isBelow(join(dirname(engine!.socketPath), 'data'), part)).toBe(false)
  }
})

/** The processes whose arguments have the text. */
const processesOf = (text: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })

test.skipIf(isSkipped)(
  'no process has a secret in its arguments, and a cancelled build is gone within 2 s',
  async () => {
    const stop = new AbortController()
    const done = build(`FROM ${BUSYBOX}\nRUN --mount=type=secret,id=TOKEN cat /run/secrets/TOKEN; sleep 4711\n`, {
      secrets: { secrets: [{ name: 'TOKEN', value: CANARY }] },
      signal: stop.signal,
    })
    await expect.poll(() => textOf(done.said).includes(CANARY)).toBe(true)
    await expect.poll(() => processesOf('4711')).not.toEqual([])
    expect(processesOf(CANARY)).toEqual([])
    const startedMs = performance.now()
    stop.abort()
    expect(await codeOf(done)).toBe('AbortError')
    await expect.poll(() => processesOf('4711'), { timeout: 2_000, interval: 20 }).toEqual([])
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

test.skipIf(isSkipped)('a step that fails is told with its last lines', async () => {
  const done = build(`FROM ${BUSYBOX}\nRUN seq 1 500; echo the reason >&2; exit 7\n`)
  await expect(done).rejects.toMatchObject({
    code: 'BUILD_FAILED',
    message: expect.stringMatching(/^A step of the build ended with exit code 7: .*499 \| 500 \| the reason$/),
  })
  await expect(build('FROM none.invalid/nothing:1\n')).rejects.toMatchObject({ code: 'BUILD_FAILED' })
  await expect(build('NO INSTRUCTION\n')).rejects.toMatchObject({
    code: 'BUILD_FAILED',
    message: expect.stringMatching(/unknown instruction/i),
  })
})

test.skipIf(isSkipped)('the source is the context, without what is ignored', async () => {
  const fetched = source('01890000-0000-7000-8000-0000000000d2', {
    'app/.dockerignore': '*.log\nnode_modules\n!kept.log\n',
    'app/Dockerfile': `FROM ${BUSYBOX}\nCOPY . /src\nRUN cd /src && find . -type f -o -type l | sort && cat ${'d'.repeat(60)}/${'f'.repeat(90)}\n`,
    'app/a.log': 'x',
    'app/kept.log': 'x',
    'app/node_modules/deep/x': 'x',
    [`app/${'d'.repeat(60)}/${'f'.repeat(90)}`]: 'long name',
    'app/ä.txt': 'x',
    'outside.txt': 'x',
  })
  symlinkSync('kept.log', join(directory, 'sources', `application-${WORKLOAD.id}`, fetched.deploymentId, 'app/link'))
  const done = build(null, { payload: { ...fetched, directory: 'app', dockerfile: 'Dockerfile' } })
  await done
  const shown = done.said
    .filter(({ of }) => of === 'OUT')
    .map(({ text }) => text)
    .join('')
  expect(shown.split('\n')).toEqual([
    './.dockerignore',
    './Dockerfile',
    `./${'d'.repeat(60)}/${'f'.repeat(90)}`,
    './kept.log',
    './link',
    './ä.txt',
    'long name',
  ])
})

test.skipIf(isSkipped)('a text in place of a Dockerfile builds the source too', async () => {
  const fetched = source('01890000-0000-7000-8000-0000000000d3', { '.daybook.Dockerfile': 'of the user', 'a.txt': 'a' })
  const done = build(`FROM ${BUSYBOX}\nCOPY . /src\nRUN cat /src/.daybook.Dockerfile /src/a.txt\n`, {
    payload: fetched,
  })
  await done
  expect(textOf(done.said)).toContain('of the usera')
})

test.skipIf(isSkipped)('what cannot be built has its own code', async () => {
  const of = (dockerfile: string | null, payload: object) => codeOf(build(dockerfile, { payload }))
  const fetched = source('01890000-0000-7000-8000-0000000000d4', { a: 'a' }, { Dockerfile: '/etc/passwd' })
  expect(await of(null, { ...fetched, dockerfile: 'none' })).toBe('NO_DOCKERFILE')
  expect(await of(null, { ...fetched, dockerfile: 'Dockerfile' }), 'a link').toBe('NO_DOCKERFILE')
  expect(await of('FROM scratch\n', fetched), 'a link to another file').toBe('LINK_OUTSIDE')
  expect(await of(null, {})).toBe('NO_DOCKERFILE')
  const gone = { context: 'FETCHED', deploymentId: '01890000-0000-7000-8000-0000000000d9' }
  expect(await of('FROM scratch\n', gone)).toBe('SOURCE_GONE')
  const deep = source('01890000-0000-7000-8000-0000000000d5', { 'x/a': 'a' }, { 'x/up': '../../other' })
  expect(await of('FROM scratch\n', deep)).toBe('LINK_OUTSIDE')
  const ignored = source('01890000-0000-7000-8000-0000000000d6', { '.dockerignore': 'up' }, { up: '../other' })
  expect(await of(`FROM ${BUSYBOX}\nCOPY . /src\n`, ignored)).toBe('done')
})

test.skipIf(isSkipped)('a build has neither the network of the host nor its privileges', async () => {
  for (const flag of ['--network=host', '--security=insecure'])
    expect(await codeOf(build(`FROM ${BUSYBOX}\nRUN ${flag} true\n`)), flag).toBe('BUILD_FAILED')
})

const classic = buildPerformer({
  ...host,
  async call(...asked) {
    const reply = await host.call(...asked)
    return asked[1] === '/_ping' ? { ...reply, headers: { 'builder-version': '1' } } : reply
  },
})

test.skipIf(isSkipped)('where BuildKit is off, the other builder builds what has no secrets', async () => {
  const done = build(`FROM ${BUSYBOX}\nRUN echo by the other one\nEXPOSE 81\n`, { by: classic })
  expect(await done).toMatchObject({ builder: 'CLASSIC', ports: [81] })
  expect(done.said.map(({ of, text }) => [of, text.trim()])).toEqual([
    ['STEP', `Step 1/${done.said.length} : FROM ${BUSYBOX}`].map((text) => expect.stringContaining(text.slice(0, 4))),
    ...done.said.slice(1).map(() => [expect.any(String), expect.any(String)]),
  ])
  expect(textOf(done.said)).toContain('by the other one')
  const secrets = { secrets: [{ name: 'TOKEN', value: CANARY }] }
  expect(await codeOf(build(`FROM ${BUSYBOX}\n`, { by: classic, secrets }))).toBe('BUILDER_CLASSIC')
  const mounting = `FROM ${BUSYBOX}\nRUN --mount=type=cache,target=/c true\n`
  expect(await codeOf(build(mounting, { by: classic }))).toBe('BUILDER_CLASSIC')
  await expect(build(`FROM ${BUSYBOX}\nRUN echo why; exit 3\n`, { by: classic })).rejects.toMatchObject({
    message: 'A step of the build ended with exit code 3: why',
  })
})

test.skipIf(isSkipped)('an engine that ends during a build is told', async () => {
  const done = build(`FROM ${BUSYBOX}\nRUN echo begun; sleep 4712\n`)
  await expect.poll(() => textOf(done.said)).toContain('begun')
  await engine!.kill()
  expect(await codeOf(done)).toBe('ENGINE_LOST')
  await engine!.start()
})
