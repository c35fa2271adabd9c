/**
 * What `daybook start` prints: addresses that open, commands that a shell accepts unchanged, and no password
 * twice.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { hashPassword } from '#kernel/credentials/password'
import { curlLines, localOrigin } from '../../src/cli/address.ts'
import { findPasswordPlace } from '../../src/cli/find-password-place.ts'
import { portError, refuseSamePort, refuseTakenPort } from '../../src/cli/free-port.ts'
import { firstAccountLines, pagesFacts, provisioningLines, signInLines } from '../../src/cli/welcome.ts'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:4000'],
  ['0.0.0.0', 'http://127.0.0.1:4000'],
  ['localhost', 'http://localhost:4000'],
  ['192.168.1.7', 'http://192.168.1.7:4000'],
  ['::', 'http://[::1]:4000'],
  ['fe80::1', 'http://[fe80::1]:4000'],
])('a service that listens on %s is opened at %s', (host, origin) => {
  expect(localOrigin(host, 4000)).toBe(origin)
  expect(new URL(localOrigin(host, 4000)).port).toBe('4000')
})

/** The words that bash makes of lines that are pasted. */
function words(lines: readonly string[], env: NodeJS.ProcessEnv = {}): string[] {
  const input = `curl() { printf '%s\\0' "$@"; }\n${lines.join('\n')}\n`
  return execFileSync('bash', ['--norc', '-i'], { input, env, encoding: 'utf8', stdio: 'pipe' })
    .split('\0')
    .slice(0, -1)
}

const nasty = `o'neill$(id)\`id\`"\\!!&;|*?~@${'x'.repeat(40)}`

test('a shell takes each part of a printed curl as one word, whatever is in it', () => {
  const account = { email: `${nasty}@example.com`, password: nasty, name: nasty, setupToken: nasty }
  const lines = firstAccountLines('http://[::1]:3000', 'http://panel', account, 'somewhere').filter((line) =>
    /^ {2,4}(curl|-)/.test(line),
  )
  expect(words(lines)).toEqual([
    '-sS',
    'http://[::1]:3000/api/auth/register',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify(account),
  ])
  expect(words(curlLines('http://a/?b=c&d', { header: '"X: $NAME"', body: {} }), { NAME: 'of mine' })).toEqual([
    '-sS',
    'http://a/?b=c&d',
    '-H',
    'X: of mine',
    '-H',
    'Content-Type: application/json',
    '-d',
    '{}',
  ])
})

test('the first account is created in a browser where the panel has pages', () => {
  const account = { email: 'a@b.test', password: 'p', name: 'A', setupToken: 'dbu_1' }
  const [there, missing] = ['http://localhost:3000', undefined].map((url) =>
    firstAccountLines('http://127.0.0.1:3000', url, account, 'somewhere').join('\n'),
  )
  expect(there).toContain('\n  http://localhost:3000/setup#token=dbu_1\n')
  expect(missing).not.toContain('setup#')
  for (const lines of [there, missing]) expect(lines).toContain('/api/auth/register')
})

test('the addresses of pages are told, or why there are none', () => {
  expect(pagesFacts(['http://a/console', 'http://a/shop'], undefined)).toEqual([
    ['Back office', 'http://a/console'],
    ['Shop', 'http://a/shop'],
  ])
  expect(pagesFacts(['http://a/console', undefined], undefined)).toEqual([['Back office', 'http://a/console']])
  expect(pagesFacts(['http://a/console', undefined], 'why')).toEqual([['Pages', 'why']])
})

test('without a token of this start the caller’s own is asked for', () => {
  const [mine, theirs] = ['dbm_1', undefined].map((token) => provisioningLines('http://a', 'starter', token).join('\n'))
  expect(mine).toContain(`-H 'Authorization: Bearer dbm_1' \\\n`)
  expect(theirs).toContain('-H "Authorization: Bearer $DAYBOOK_TOKEN" \\\n')
})

test('a password is shown where nobody has seen it, else where it is', () => {
  expect(signInLines({ email: 'a@b.test', password: 'generated', passwordPlace: 'shown this once' })).toEqual([
    '  e-mail            a@b.test',
    '  password          generated',
    '                    (shown this once)',
  ])
  expect(signInLines({ email: 'a@b.test', passwordPlace: 'in a file' })).toEqual([
    '  e-mail            a@b.test',
    '  password          in a file',
  ])
})

test('where a password is, is said only of a place that holds it', async () => {
  const hash = await hashPassword('the present one')
  const [old, present] = ['an old one', 'the present one'].map((password) => ({ place: `of ${password}`, password }))
  expect(await findPasswordPlace(hash, [old!, present!], 'chosen since')).toBe('of the present one')
  expect(await findPasswordPlace(hash, [old!, { place: 'nowhere', password: undefined }], 'chosen since')).toBe(
    'chosen since',
  )
})

const here = { host: '127.0.0.1', port: 4000 }
test.each([
  [here, here, true],
  [{ ...here, host: '0.0.0.0' }, here, true],
  [here, { ...here, host: '::' }, true],
  [here, { ...here, port: 3000 }, false],
  [here, { ...here, host: '127.0.0.2' }, false],
])('licensing at %o and a panel at %o are in each other’s way: %s', (licensing, panel, isRefused) => {
  const refuse = () => refuseSamePort(licensing, panel)
  if (isRefused)
    expect(refuse).toThrow('Both services use port 4000: set LICENSING_PORT or PANEL_PORT to another port.')
  else expect(refuse).not.toThrow()
})

test('a port that is taken is named with the variable that says another', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as { port: number }
  await expect(refuseTakenPort(port, '127.0.0.1', 'PANEL')).rejects.toThrow(
    `Port ${port} is in use on 127.0.0.1: stop the program that uses it, or set PANEL_PORT to another port.`,
  )
  const other = new Error('something else')
  expect(portError(other, port, '127.0.0.1')).toBe(other)
})
