/** Builds on a real engine, by its API alone: what becomes of secrets, of sources, and of what must not be built. */
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { secretFilter } from '../../../src/agent/secret-filter.ts'
import { buildingOn, DEPLOYMENT, TASK, textOf, WORKLOAD } from '../../support/agent/building.ts'
import { codeOf } from '../../support/agent/working.ts'
import { BUSYBOX, loadBusybox } from '../../support/busybox-image.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const isSkipped = noEngine !== undefined
const directory = scratchOfFile()
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
afterAll(() => engine?.stop())
if (engine) await loadBusybox(engine)
const { build, source } = buildingOn(engine?.socketPath ?? '/nowhere', directory)
const inspect = (name: string): Promise<any> => engine!.api('GET', `/images/${name}/json`)

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
  const run = '[2/2] RUN echo "good day"; echo wrong >&2'
  const lines = done.said.filter(({ text: line }) => !line.startsWith('[1/2]'))
  // The engine tells each kind of output by itself.
  expect(lines.toSorted((one, other) => (one.text < other.text ? -1 : 1))).toEqual([
    { of: 'STEP', text: run },
    { of: 'STEP', text: expect.stringMatching(/^\[2\/2\] RUN .*: \d+\.\d s$/) },
    { of: 'OUT', text: 'good day\n' },
    { of: 'ERR', text: 'wrong\n' },
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
  expect([(await second).imageId, textOf(second.said)]).toEqual([imageId, 'The image of this build is there already'])
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
  // An argument of the same name would be in the history.
  const done = build(
    `FROM ${BUSYBOX}\nARG TOKEN\nRUN ${mounts} ${shows}; wc -c </run/secrets/TOKEN >/size; echo done\n`,
    {
      secrets: {
        secrets: [
          { name: 'TOKEN', value: CANARY },
          { name: 'KEY', value: LINES },
        ],
      },
    },
  )
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
  expect(shown.trim().split('\n')).toEqual([
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
