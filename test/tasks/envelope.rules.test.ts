/** The agent opens what the panel has signed for it, and nothing else. */
import { randomBytes, randomInt } from 'node:crypto'
import { assert, constantFrom, integer, json, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { newEd25519, privateKeyOf, publicKeyOf, signJws, thumbprint } from '#kernel/credentials/jws'
import { openEnvelope, signEnvelope, TASK_TYPE } from '../../src/tasks/envelope.ts'
import type { EnvelopeReader, TaskToSend } from '../../src/tasks/envelope.ts'
import { kindsByName } from '../../src/tasks/kind.ts'
import { echo, TEST_KINDS } from '../support/agent/kinds.ts'

const serverId = '01890000-0000-7000-8000-00000000000a'
const taskId = '01890000-0000-7000-8000-000000000001'
const NOW = new Date('2026-01-01T00:00:00.000Z')
const jwk = newEd25519()
const own = { kid: thumbprint(jwk), key: privateKeyOf(jwk) }
const strangerJwk = newEd25519()
const stranger = { kid: thumbprint(strangerJwk), key: privateKeyOf(strangerJwk) }
const reader: EnvelopeReader = {
  serverId,
  keys: new Map([[own.kid, publicKeyOf(jwk)]]),
  kinds: kindsByName(TEST_KINDS),
  now: NOW,
  since: new Date(NOW.getTime() - 60_000),
}
const task: TaskToSend = {
  serverId,
  taskId,
  attempt: 1,
  kind: echo.name,
  version: 1,
  issuedAt: NOW,
  expiresAt: new Date(NOW.getTime() + 60_000),
  runMs: 60_000,
  payload: { text: 'hello' },
  secrets: null,
  transfer: null,
}
const about = { taskId, attempt: 1 }
const good = signEnvelope(task, own)

test('a task of the panel is opened', () => {
  expect(openEnvelope(good, reader)).toEqual({
    task: {
      ...about,
      issuedAt: NOW,
      kind: echo,
      payload: { text: 'hello' },
      runMs: 60_000,
      secrets: null,
      transfer: null,
    },
  })
})

test('an envelope has this form, so that another implementation can read it', () => {
  const fixed = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const
  const d = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A'
  const text = signEnvelope(task, { kid: 'test', key: privateKeyOf({ ...fixed, d }) })
  const [header, claims] = text.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  expect(header).toBe('{"alg":"EdDSA","kid":"test","typ":"daybook-task+jwt"}')
  expect(JSON.parse(claims!)).toEqual({
    aud: serverId,
    jti: taskId,
    attempt: 1,
    kind: 'test.echo',
    v: 1,
    iat: 1_767_225_600,
    exp: 1_767_225_660,
    runMs: 60_000,
    payload: { text: 'hello' },
    secrets: null,
    transfer: null,
  })
})

test.each([
  ['another key', signEnvelope(task, stranger), { refusal: 'REFUSED_SIGNATURE' }],
  [
    'another key under the pinned name',
    signEnvelope(task, { ...stranger, kid: own.kid }),
    { refusal: 'REFUSED_SIGNATURE' },
  ],
  ['another type', signJws({}, { ...own, typ: 'daybook-lease+jwt' }), { refusal: 'REFUSED_SIGNATURE' }],
  ['another server', signEnvelope({ ...task, serverId: taskId }, own), { refusal: 'REFUSED_SERVER' }],
  [
    'too late',
    signEnvelope({ ...task, expiresAt: new Date(NOW.getTime() - 1_000) }, own),
    { refusal: 'REFUSED_EXPIRED', about },
  ],
  [
    'what may be forgotten',
    signEnvelope({ ...task, issuedAt: new Date(NOW.getTime() - 61_000) }, own),
    { refusal: 'REFUSED_EXPIRED', about },
  ],
  ['another kind', signEnvelope({ ...task, kind: 'test.shell' }, own), { refusal: 'AGENT_TOO_OLD', about }],
  ['another version', signEnvelope({ ...task, version: 2 }, own), { refusal: 'AGENT_TOO_OLD', about }],
  [
    'a newer field',
    signEnvelope({ ...task, payload: { text: 'a', more: 1 } }, own),
    { refusal: 'AGENT_TOO_OLD', about },
  ],
  ['a wrong field', signEnvelope({ ...task, payload: { text: 1 } }, own), { refusal: 'REFUSED_FIELD', about }],
  ['no claims', signJws({}, { ...own, typ: TASK_TYPE }), { refusal: 'REFUSED_FIELD' }],
  ['no text', 7, { refusal: 'REFUSED_SIGNATURE' }],
])('%s is refused', (_what, text, refusal) => expect(openEnvelope(text, reader)).toEqual(refusal))

test('an attempt is never longer than its kind allows', () => {
  const longer = openEnvelope(signEnvelope({ ...task, runMs: 10 * 60_000 }, own), reader)
  expect(longer).toMatchObject({ task: { runMs: 60_000 } })
  expect(openEnvelope(signEnvelope({ ...task, runMs: 5 }, own), reader)).toMatchObject({ task: { runMs: 5 } })
})

const claimsOf = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text.split('.')[1]!, 'base64url').toString())

/** A text of the panel with something changed. */
const HOSTILE: readonly ((nth: number) => string)[] = [
  () => signEnvelope(task, stranger),
  () => signJws({ ...claimsOf(good), attempt: 2 }, { ...stranger, kid: own.kid, typ: TASK_TYPE }),
  () =>
    [
      good.split('.')[0],
      Buffer.from(JSON.stringify({ ...claimsOf(good), attempt: 2 })).toString('base64url'),
      good.split('.')[2],
    ].join('.'),
  () => good.slice(0, randomInt(good.length)),
  (nth) =>
    `${good.slice(0, nth % good.length)}${good[nth % good.length] === 'A' ? 'B' : 'A'}${good.slice((nth % good.length) + 1)}`,
  () => `${good}.${good}`,
  () => randomBytes(randomInt(1, 400)).toString('base64url'),
  () =>
    ['none', 'HS256', 'EdDSA'].map(
      (alg) =>
        `${Buffer.from(JSON.stringify({ alg, kid: own.kid, typ: TASK_TYPE })).toString('base64url')}.${good.split('.')[1]}.`,
    )[randomInt(3)]!,
  () => signEnvelope({ ...task, serverId: taskId }, own),
  () => signEnvelope({ ...task, expiresAt: new Date(randomInt(NOW.getTime() / 1_000) * 1_000) }, own),
  () => signEnvelope({ ...task, kind: 'test.shell', payload: { argv: ['sh'] } }, own),
  () => signEnvelope({ ...task, payload: { text: 'x', privileged: true } }, own),
  () => signJws({ ...claimsOf(good), command: 'sh' }, { ...own, typ: TASK_TYPE }),
]

test('of 10,000 hostile envelopes none is done', () => {
  const done = Array.from({ length: 10_000 }, (_none, nth) => openEnvelope(HOSTILE[nth % HOSTILE.length]!(nth), reader))
  expect(done.filter((each) => 'task' in each)).toEqual([])
  expect(new Set(done.map((each) => ('refusal' in each ? each.refusal : 'done'))).size).toBeGreaterThanOrEqual(5)
})

test('no claims of any shape are done unless all of them fit', () => {
  const names = ['aud', 'jti', 'attempt', 'kind', 'v', 'iat', 'exp', 'runMs', 'payload', 'secrets', 'transfer']
  assert(
    property(constantFrom(...names), json(), integer(), string(), (name, anything, number, text) => {
      for (const value of [JSON.parse(anything), number, text, null, []]) {
        const opened = openEnvelope(signJws({ ...claimsOf(good), [name]: value }, { ...own, typ: TASK_TYPE }), reader)
        if (!('task' in opened)) continue
        expect(opened.task.kind).toBe(echo)
        expect(echo.payload.safeParse(opened.task.payload).success).toBe(true)
        expect(opened.task.runMs).toBeLessThanOrEqual(60_000)
      }
    }),
    { numRuns: 200 },
  )
})
