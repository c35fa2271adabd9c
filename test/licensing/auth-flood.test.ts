import { expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/identity/source-address'
import { startService } from '#test/licensing/service'
import type { Reply } from '#test/licensing/service'
import { fromElsewhere, signIn, somebodyNew } from '#test/licensing/people'

const service = await startService({ trustedProxies: parseTrustedProxies('127.0.0.1'), compareReadModels: false })
const password = 'not the password at all'
const UNKNOWN = 'nobody@staff.test'

const said = ({ status, text, headers }: Reply) =>
  JSON.stringify([status, text, [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))])

test('when sign-ins are turned away for being too many, nothing tells a known address from an unknown one', async () => {
  const { email } = await somebodyNew(service)
  const tries = Array.from({ length: 200 }, (_, n) => signIn(service, { email: n % 2 ? email : UNKNOWN, password }))
  const replies = (await Promise.all(tries)).map(({ reply }, n) => ({ reply, isKnown: n % 2 === 1 }))
  const away = replies.filter(({ reply }) => reply.status === 503)
  expect(new Set(away.map(({ isKnown }) => isKnown)).size).toBe(2)
  expect([...new Set(away.map(({ reply }) => said(reply)))]).toHaveLength(1)
})
