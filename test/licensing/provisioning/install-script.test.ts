/**
 * Runs the script of `installCommand` in a POSIX shell, in a folder of its own, with a `docker` that records
 * its arguments.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shellQuoted } from '#kernel/lib/shell-quote'
import { parseKeyEncryptionKey } from '#kernel/vault/vault'
import { scratchPath } from '#test/support/scratch'
import { PANEL_LOGINS, loginsIn } from '../../../src/cli/logins.ts'
import { panelConfig } from '../../../src/config/panel.ts'
import { secretOf } from '../../../src/license-client/license-api.ts'
import { installScript } from '../../../src/licensing/adapters/install-script.ts'
import { startService } from '../../support/licensing/service.ts'

const service = await startService()
const SHELLS = ['dash', 'bash', 'busybox'].filter((shell) => spawnSync(shell, ['-c', 'exit 0']).error === undefined)

const script = async () => (await service.call('GET', '/install.sh')).text
const IMAGE = 'registry.test/daybook/panel:1.0.0@sha256.0'

/** A host: a folder to install into, and a PATH whose docker only records its arguments. */
function host({ docker = true } = {}) {
  const root = scratchPath()
  const bin = join(root, 'bin')
  mkdirSync(bin, { recursive: true })
  if (docker) {
    writeFileSync(
      join(bin, 'docker'),
      `#!/bin/sh\nprintf '%s\\n' "$*" >>${shellQuoted(join(root, 'asked'))}\nenv >>${shellQuoted(join(root, 'env'))}\n`,
    )
    chmodSync(join(bin, 'docker'), 0o755)
  }
  const dir = join(root, 'panel')
  return {
    dir,
    asked: () => readFileSync(join(root, 'asked'), 'utf8'),
    given: () => readFileSync(join(root, 'env'), 'utf8'),
    run(text: string, env: NodeJS.ProcessEnv, shell = SHELLS[0]!) {
      const words = shell === 'busybox' ? ['sh'] : []
      const tools = docker ? `${bin}:/usr/bin:/bin` : toolsWithoutDocker(bin)
      const { status, stdout, stderr } = spawnSync(shell, words, {
        input: text,
        encoding: 'utf8',
        env: { PATH: tools, DAYBOOK_DIR: dir, ...env },
      })
      return { status, stdout, stderr }
    },
    files: () =>
      Object.fromEntries(
        readdirSync(dir).map((name) => {
          const { mode, mtimeMs, ino } = statSync(join(dir, name))
          return [name, { text: readFileSync(join(dir, name), 'utf8'), mode: mode & 0o777, mtimeMs, ino }]
        }),
      ),
  }
}

/**
 * A PATH with a single tool. All other commands that the script calls before it looks for docker are shell
 * built-ins.
 */
function toolsWithoutDocker(bin: string): string {
  writeFileSync(join(bin, 'uname'), '#!/bin/sh\necho panel\n')
  chmodSync(join(bin, 'uname'), 0o755)
  return bin
}

const variables = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

async function sold(): Promise<string> {
  const as = await service.staff()
  await service.call('POST', '/api/admin/plans', { as, body: { slug: 'pro', name: 'Pro' } })
  const body = { email: 'ada@customer.test', planSlug: 'pro' }
  return (await service.call('POST', '/api/admin/provisioning', { as, body })).body.licenseKey
}

test.each(SHELLS)(
  '%s installs a panel that its configuration can be read of, and changes nothing the second time',
  async (shell) => {
    const [text, key] = [await script(), await sold()]
    const { run, files, dir, asked, given } = host()
    const env = { DAYBOOK_IMAGE: IMAGE, DAYBOOK_LICENSE_KEY: key, PANEL_URL: 'https://panel.customer.test' }
    const first = run(text, env, shell)
    expect(first).toMatchObject({ status: 0, stderr: '' })
    const made = files()
    expect(Object.keys(made).toSorted()).toEqual(['.env', 'compose.yaml', 'database.env', 'migrate.env', 'panel.env'])
    expect(Object.values(made).map(({ mode }) => mode)).toEqual([0o600, 0o600, 0o600, 0o600, 0o600])
    expect(statSync(dir).mode & 0o777).toBe(0o700)

    const written = variables(made['panel.env']!.text)
    const config = panelConfig(written)
    expect(config).toMatchObject({
      url: 'https://panel.customer.test',
      license: { serviceUrl: 'http://licensing.test' },
    })
    expect(config.license!.firstKey).toBe(key)
    expect(secretOf(config.license!.firstKey!).keyId).toMatch(/^lic_/)
    expect(parseKeyEncryptionKey(written['PANEL_SECRET_KEY']!)).toHaveLength(32)
    const { POSTGRES_PASSWORD } = variables(made['database.env']!.text)
    // Of the two logins the panel knows only its own.
    const logins = loginsIn({ ...written, ...variables(made['migrate.env']!.text) }, PANEL_LOGINS)!
    expect(logins.url).toBe(config.databaseUrl)
    expect(new URL(logins.ownerUrl)).toMatchObject({ username: 'daybook', password: POSTGRES_PASSWORD })
    expect(new URL(logins.url).username).toBe('daybook_panel')
    for (const file of ['panel.env', 'compose.yaml']) expect(made[file]!.text).not.toContain(POSTGRES_PASSWORD)
    expect(made['compose.yaml']!.text.match(/migrate\.env/g)).toHaveLength(1)
    expect(made['compose.yaml']!.text.match(/image: '\$\{DAYBOOK_IMAGE\}'/g)).toHaveLength(2)
    expect(made['.env']!.text).toBe(`DAYBOOK_IMAGE=${IMAGE}\nRELEASE_SHA256=\n`)

    expect(asked()).toContain(`compose --project-directory ${dir} --file ${dir}/compose.yaml up --detach`)
    for (const heard of [asked(), given(), first.stdout, made['compose.yaml']!.text, made['database.env']!.text])
      expect(heard).not.toContain(key)

    expect(run(text, env, shell)).toMatchObject({ status: 0, stderr: '' })
    expect(files()).toEqual(made)
  },
)

test('another license key is not written over the one that is there', async () => {
  const text = await script()
  const { run, files } = host()
  run(text, { DAYBOOK_IMAGE: IMAGE, DAYBOOK_LICENSE_KEY: 'first.key.one' })
  const made = files()
  const again = run(text, { DAYBOOK_IMAGE: IMAGE, DAYBOOK_LICENSE_KEY: 'second.key.two' })
  expect(again.stdout).toContain('another license key')
  expect(again.stdout).not.toContain('second.key')
  expect(files()).toEqual(made)
})

test('another image is all that a later run changes', async () => {
  const text = await script()
  const { run, files } = host()
  run(text, { DAYBOOK_IMAGE: IMAGE })
  const made = files()
  expect(run(text, { DAYBOOK_IMAGE: 'daybook:2' }).status).toBe(0)
  const { '.env': before, ...kept } = made
  const { '.env': after, ...still } = files()
  expect(still).toEqual(kept)
  expect(after!.text).toBe(before!.text.replaceAll(IMAGE, 'daybook:2'))
})

test('an image that the panel has installed since, and variables of the operator, are left as they are', async () => {
  const text = await script()
  const { run, files, dir } = host()
  run(text, { DAYBOOK_IMAGE: IMAGE })
  const own = 'TZ=UTC\nDAYBOOK_IMAGE=daybook:3\nRELEASE_SHA256=abc\n'
  writeFileSync(join(dir, '.env'), own)
  run(text, { DAYBOOK_IMAGE: 'daybook:3' })
  expect(files()['.env']!.text).toBe(own)
  run(text, { DAYBOOK_IMAGE: 'daybook:4' })
  expect(files()['.env']!.text).toBe('TZ=UTC\nDAYBOOK_IMAGE=daybook:4\nRELEASE_SHA256=\n')
})

test.each([
  ['without an image', {}, /^Set DAYBOOK_IMAGE/],
  ['with an image that is none', { DAYBOOK_IMAGE: "x' # \n" }, /^DAYBOOK_IMAGE must contain only/],
  [
    'with a key that is none',
    { DAYBOOK_IMAGE: IMAGE, DAYBOOK_LICENSE_KEY: 'a\nPANEL_URL=b' },
    /^DAYBOOK_LICENSE_KEY must/,
  ],
  [
    'with an address that is none',
    { DAYBOOK_IMAGE: IMAGE, PANEL_URL: 'http://x/$(id)' },
    /^PANEL_URL must contain only/,
  ],
])('%s it says so, exits with 1 and leaves nothing', async (_how, env, says) => {
  const { run, files } = host()
  const refused = run(await script(), env)
  expect(refused).toMatchObject({ status: 1, stdout: '' })
  expect(refused.stderr).toMatch(says)
  expect(files).toThrow('ENOENT')
})

test('without Docker it says what to install', async () => {
  const { run, files } = host({ docker: false })
  const refused = run(await script(), { DAYBOOK_IMAGE: IMAGE }, '/bin/sh')
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('Docker is missing') })
  expect(files).toThrow('ENOENT')
})

test('of which only a part has arrived, it does nothing', async () => {
  const text = await script()
  for (let part = 1; part < 40; part += 1) {
    const { run, files } = host()
    run(text.slice(0, Math.floor((text.length - 6) * (part / 40))), { DAYBOOK_IMAGE: IMAGE })
    expect(files, `${part} of 40`).toThrow('ENOENT')
  }
})

test('whatever the configured address holds, it is one word', () => {
  const baseUrl = `https://x.test/'; touch /tmp/broken #$(id)\`id\``
  const text = `${installScript({ baseUrl, rootKey: 'x' }).split('say()')[0]}printf %s "$LICENSE_SERVER_URL"`
  for (const shell of SHELLS)
    expect(spawnSync(shell, shell === 'busybox' ? ['sh'] : [], { input: text, encoding: 'utf8' }).stdout).toBe(baseUrl)
})

const shellcheck = spawnSync('shellcheck', ['--version']).error === undefined
if (!shellcheck) console.warn('SKIPPED: shellcheck is not installed, so nothing has looked at install.sh but shells')
test.skipIf(!shellcheck)('shellcheck has nothing to say', async () => {
  const { status, stdout } = spawnSync('shellcheck', ['--shell=sh', '-'], { input: await script(), encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
})
