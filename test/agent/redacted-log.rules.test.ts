/** What the log of a task must not show: the secrets of its kind, and not the words beside them. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { buildPerformer } from '../../src/agent/builds/build.ts'
import { engineCall, engineStream, engineUpgrade } from '../../src/agent/engine-call.ts'
import { performer } from '../../src/agent/performer.ts'
import type { Performer, Work } from '../../src/agent/performer.ts'
import { runAttempt } from '../../src/agent/run-attempt.ts'
import { fetchPerformer } from '../../src/agent/sources/fetch.ts'
import { taskKind } from '../../src/tasks/kind.ts'
import { newBoxKeys, sealBox } from '../../src/tasks/sealed-box.ts'

const TASK = '01890000-0000-7000-8000-0000000000aa'
const kind = taskKind('test.say', 1, {
  payload: z.strictObject({}),
  result: z.strictObject({}),
  lane: () => null,
  pool: 'quick',
  needs: [],
  deadlineMs: 1_000,
  runMs: () => 1_000,
  attempts: 1,
  retryOn: [],
  onRestart: 'repeat',
  shows: [],
})
const SECRETS = { name: 'a-word-of-many', value: 'canary-of-a-secret' }

async function saidBy(redacts: Performer['redacts']): Promise<string> {
  const said: string[] = []
  const boxKeys = newBoxKeys()
  const saying = async ({ say, write }: Work<object>) => {
    await say(`${SECRETS.name} ${SECRETS.value}`)
    await write('OUT', `${Buffer.from(`x:${SECRETS.value}`).toString('base64')}\n`)
    return {}
  }
  const parts = {
    journal: { find: () => ({ made: new Map() }), note: async () => {} },
    performers: new Map([[kind.name, performer(kind, saying, { redacts })]]),
    boxKeys,
    isReady: async () => true,
    panelNow: () => new Date(),
  }
  const secrets = sealBox(Buffer.from(JSON.stringify(SECRETS)), boxKeys.publicKey, { taskId: TASK, attempt: 1 })
  const say = async (lines: readonly { text: string }[]) => void said.push(...lines.map(({ text }) => text))
  const attempt = {
    task: { taskId: TASK, attempt: 1, kind, payload: {}, runMs: 5_000, secrets },
    spool: { lastSeq: 0, say, end: async () => {} },
    isResumed: false,
    stop: new AbortController(),
    isStopping: () => false,
    onSaid: () => {},
  }
  expect(await runAttempt(parts as never, attempt as never)).toMatchObject({ outcome: 'SUCCEEDED' })
  return said.join('\n')
}

test('a kind names its secrets, and without that all texts are secret', async () => {
  const all = await saidBy(undefined)
  const named = await saidBy((secrets) => [(secrets as typeof SECRETS).value])
  for (const said of [all, named]) expect(said).not.toMatch(/canary|Y2FuYXJ5|Y2Fu/)
  expect([all.includes(SECRETS.name), named.includes(SECRETS.name)]).toEqual([false, true])
})

test('a fetch and a build name what only their servers may see', () => {
  const login = { kind: 'PASSWORD', username: 'ada', password: 'one' }
  const { redacts: ofFetch } = fetchPerformer({ directory: '/nowhere' })
  expect(ofFetch!({ login, allow: [] })).toEqual(['one'])
  expect(ofFetch!({ login: { kind: 'KEY', privateKey: 'key', hostKey: null }, allow: [] })).toEqual(['key'])
  expect(ofFetch!({ login: { kind: 'NONE' }, allow: [] })).toEqual([])
  const socket = '/nowhere'
  const host = { call: engineCall(socket), stream: engineStream(socket), upgrade: engineUpgrade(socket) }
  const { redacts: ofBuild } = buildPerformer({ ...host, directory: socket })
  const secrets = [{ name: 'TOKEN', value: 'one' }]
  const registries = [{ address: 'docker.io', username: 'ada', password: 'two' }]
  const args = [{ name: 'MODE', value: 'production' }]
  expect(ofBuild!({ dockerfile: 'FROM scratch', args, secrets, registries })).toEqual(['one', 'two'])
})
