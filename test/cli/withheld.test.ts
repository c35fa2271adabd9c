/** Secrets of the environment never appear in output, whatever a library writes into its errors. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openRedis } from '#kernel/jobs/redis'
import { ALL_VARIABLES } from '../../src/cli/command-variables.ts'
import { logOf } from '../../src/cli/log.ts'
import { reasonOf } from '../../src/cli/reason.ts'
import { secretValuesIn, maskSecrets } from '../../src/config/withheld-secrets.ts'

const SECRET = 'c4n4ry"\\c4n4ry'

/** Variables that are no secrets: their values are public, or useless to a reader. */
const OPEN = [
  'MAIL_FROM',
  'TRUSTED_PROXIES',
  'LOG_LEVEL',
  'AUTH_FAILURES_PER_MINUTE',
  'METRICS_ALLOW',
  'STRIPE_API_BASE',
  'INVOICE_SELLER',
  'FILES_DIR',
  'PAGES_DIR',
  'SHOP_URL',
  'LICENSING_PORT',
  'LICENSING_HOST',
  'WEBHOOK_ALLOW',
  'DAYBOOK_ADMIN_EMAIL',
  'LICENSING_URL',
  'PANEL_DATA_DIR',
  'PANEL_AGENT_DIR',
  'PANEL_IMAGES_DIR',
  'PANEL_PORT',
  'PANEL_HOST',
  'PANEL_URL',
  'LICENSE_SERVER_URL',
  'LICENSE_ROOT_KEY',
  'MAIL_ALLOW',
  'GIT_ALLOW',
  'RELEASE_SHA256',
  'DAYBOOK_LOCAL_AGENT',
  'DAYBOOK_PROXY_HTTP_PORT',
  'DOCKER_HOST',
  'DAYBOOK_DATA_DIR',
]

test('every variable is either withheld, as a whole or as the password in it, or named as open here', () => {
  const withheld = ALL_VARIABLES.filter(
    (name) => secretValuesIn({ [name]: 'scheme://user:c4n4ry-c4n4ry@host' }).length > 0,
  )
  expect([...withheld, ...OPEN].toSorted()).toEqual(ALL_VARIABLES.toSorted())
})

test.each([
  ['postgres://u:c4n4ry-1@db/name', ['c4n4ry-1']],
  ['postgres://u:c4n4ry%2F1@db/name', ['c4n4ry%2F1', 'c4n4ry/1']],
  ['postgres://u:c4n4ry/1@db/name', ['c4n4ry/1']],
  ['postgres://u:c4n4ry@1@db/name', ['c4n4ry@1']],
  ['postgres://u:c4n4ry%zz@db/name', ['c4n4ry%zz']],
  ['postgres://db/name?user=u&password=c4n4ry%201', ['c4n4ry%201', 'c4n4ry 1']],
  ['kurrentdb+discover://u:c4n4ry-1@one:2113,two:2113', ['c4n4ry-1']],
  ['postgres://u@db/name', []],
  ['postgres://u:short@db/name', []],
])('of %s the passwords %j', (DATABASE_URL, passwords) => {
  expect(secretValuesIn({ DATABASE_URL })).toEqual(passwords)
})

test('a longer secret is withheld before one that it holds', () => {
  const withheld = secretValuesIn({ DAYBOOK_ADMIN_PASSWORD: 'c4n4ry', PANEL_SECRET_KEY: 'c4n4ry-c4n4ry' })
  expect(maskSecrets('c4n4ry-c4n4ry and c4n4ry', withheld)).toBe('[secret] and [secret]')
})

test('the reason of a failure repeats none, nor does its stack', () => {
  vi.stubEnv('DAYBOOK_ADMIN_PASSWORD', SECRET)
  vi.stubEnv('DATABASE_URL', `postgres://u:${encodeURIComponent(SECRET)}@db/name`)
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const text of [SECRET, encodeURIComponent(SECRET)]) {
    for (const error of [new Error(`no ${text}`), new TypeError(`no ${text}`), new AggregateError([new Error(text)])])
      expect(reasonOf(error)).toMatch(/\[secret\]/)
    expect(reasonOf(new Error(`no ${text}`))).not.toContain(text)
  }
})

test('no line of a log holds one, however it is nested', () => {
  vi.stubEnv('STRIPE_SECRET_KEY', SECRET)
  onTestFinished(() => void vi.unstubAllEnvs())
  const lines: string[] = []
  const log = logOf('info', { write: (line) => void lines.push(line) })
  log.info({ args: [{ deep: [`<${SECRET}>`] }], err: new Error(SECRET) }, SECRET)
  const [line] = lines.map((text) => JSON.parse(text))
  expect(line).toMatchObject({ msg: '[secret]', args: [{ deep: ['<[secret]>'] }], err: { message: '[secret]' } })
  expect(JSON.stringify(line)).not.toContain('c4n4ry')
})

test('a Redis that refuses its password is logged without it, although its client repeats the whole command', async () => {
  const refusing = createServer((socket) =>
    socket.on('data', (text) => {
      const commands = String(text).match(/^\*\d+\r$/gm) ?? []
      socket.write('-WRONGPASS invalid username-password pair\r\n'.repeat(commands.length))
    }),
  ).listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  onTestFinished(() => void refusing.close())
  const { port } = refusing.address() as { port: number }
  vi.stubEnv('REDIS_URL', `redis://user:c4n4ry-c4n4ry@127.0.0.1:${port}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const lines: string[] = []
  const log = logOf('info', { write: (line) => void lines.push(line) })
  const opened = openRedis(process.env['REDIS_URL']!, (err) =>
    log.error({ err }, 'a background job could not run and is retried'),
  )
  await expect(opened).rejects.toThrow('cannot be reached')
  expect(lines.join('')).toMatch(/WRONGPASS.*"args":\[.*"\[secret\]"/)
  expect(lines.join('')).not.toContain('c4n4ry')
})
