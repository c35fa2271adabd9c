/** A flood of wrong sign-ins, with password hashes at their full cost: otherwise no queue forms. */
import { expect, test, vi } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { cookieIn, signIn } from '../../support/panel/people.ts'
import { startPanel } from '../../support/panel/service.ts'

vi.unmock('#kernel/credentials/argon2-cost')

const panel = await startPanel({ trustedProxies: parseTrustedProxies('127.0.0.1'), compareReadModels: false })
const wrong = { password: 'not the password at all' }
const fromBlock = (n: number) => ({ 'x-forwarded-for': `2001:db8:17:${(n % 12).toString(16)}::${n.toString(16)}` })

test('240 wrong sign-ins at once from twelve /64s of one /48 cost nobody else the place (A17)', async () => {
  const [known, ...others] = await Promise.all(Array.from({ length: 5 }, () => panel.account('USER')))
  const { reply } = await signIn(panel, known!)
  const cookie = `daybook_panel_device=${cookieIn(reply, 'daybook_panel_device')}`
  const storm = Array.from({ length: 240 }, (_, n) =>
    signIn(panel, { email: `nobody-${n}@panel.test`, ...wrong }, { headers: fromBlock(n) }),
  )
  const honest = [
    ...others.map((person) => signIn(panel, person)),
    ...others.map((person) => signIn(panel, { ...person, ...wrong })),
    signIn(panel, known!, { headers: { ...fromBlock(3), cookie } }),
  ]
  const statuses = (await Promise.all(honest)).map((each) => each.reply.status)
  expect(statuses).toEqual([200, 200, 200, 200, 401, 401, 401, 401, 200])
  for (const each of await Promise.all(storm)) expect([401, 503]).toContain(each.reply.status)
})
