/**
 * Runs the `curl` examples of the README and of docs/. Each page is pasted from top to bottom into a shell
 * beside running services. The examples of the reference are generated; `test/house/reference.test.ts` holds
 * them to the schemas of their routes.
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { addStaff } from '#licensing/access/staff-accounts'
import { STAFF_PASSWORD, startService } from '#test/support/licensing/service'
import { PASSWORD, startPanel } from '#test/support/panel/service'
import { ensureFirstPlan } from '../../src/evaluation/first-start.ts'
import { setupToken } from '../../src/panel/access/setup-token.ts'
import { scratchPath } from '../support/scratch.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The addresses of `npm start`, each at most once on a page. The test replaces them with its own. */
const LICENSING = 'URL=http://127.0.0.1:4000\n'
const PANEL = 'PANEL=http://127.0.0.1:3000\n'
/** The first account of both services, with the default address of `npm start`. */
const ADMIN = 'admin@daybook.localhost'

const NEEDED = ['bash', 'curl', 'jq']
const missing = NEEDED.filter((program) => spawnSync(program, ['--version']).status !== 0)
if (missing.length > 0)
  console.warn(`!! ${missing.join(' and ')} not installed: the examples of the docs are not run here`)

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')
const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
/** It needs a container engine: see first-application.test.ts. */
const OF_ITS_OWN = 'docs/panel/first-application.md'
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...files
    .filter((file) => file.endsWith('.md') && !file.startsWith('reference/'))
    .map((file) => `docs/${file}`)
    .filter((page) => page !== OF_ITS_OWN),
]

/** The blocks of a page that call a service, as one script. */
const scriptOf = (page: string): string =>
  [...textOf(page).matchAll(/^```sh\n(.*?)^```$/gms)]
    .map(([, block]) => block!)
    .filter((block) => /\bcurl\b/.test(block))
    .join('\n')

const examples = pages.toSorted().flatMap((page) => {
  const script = scriptOf(page)
  return script === '' ? [] : [{ page, script }]
})

/** What the output of a page must show, so that a page whose examples do nothing is noticed. */
const SHOWN: Readonly<Record<string, readonly RegExp[]>> = {
  'README.md': [/"created": true/, /"created": false/],
  'docs/getting-started.md': [
    /aud: 'daybook-panel'/,
    /"seats": 8/,
    /"effectiveStatus": "REVOKED"/,
    /license\.key_read/,
  ],
  'docs/licensing/api.md': [/Idempotent-Replayed: true/i],
  'docs/operations/monitoring.md': [/"status": ?"ok"/, /projection_lag_events/],
  'docs/panel/api.md': [/"role": "OWNER"/],
  'docs/panel/api-keys.md': [/"projects": \d/, /"status": "REVOKED"/],
  'docs/panel/change-feed.md': [/"kind":"project\.created"/],
}

test('every page with examples says what they show', () => {
  expect(examples.map(({ page }) => page).toSorted()).toEqual(Object.keys(SHOWN).toSorted())
})

test('every curl of the documentation is in a block that is run', () => {
  for (const page of pages) {
    const called = textOf(page)
      .split('\n')
      .filter((line) => /(^|\$\(|\| )curl /.test(line))
    const run = scriptOf(page).split('\n')
    expect(
      called.filter((line) => !run.includes(line)),
      page,
    ).toEqual([])
  }
})

test.each(examples)('$page names what it needs, and sets each variable before it reads it', ({ page, script }) => {
  expect(textOf(page)).toContain('`curl` and `jq`')
  for (const address of [LICENSING, PANEL]) expect(script.split(address).length).toBeLessThanOrEqual(2)
  expect([LICENSING, PANEL].some((address) => script.includes(address))).toBe(true)
  const set = new Set<string>()
  for (const line of script.split('\n')) {
    const read = [...line.matchAll(/\$([A-Z_]+)/g)].map(([, name]) => name!)
    expect(
      read.filter((name) => !set.has(name)),
      line,
    ).toEqual([])
    for (const [, name] of line.matchAll(/^([A-Z_]+)=/g)) set.add(name!)
  }
  // A shell that takes comments for commands continues with the next line only if the comment leaves no quote
  // open.
  expect(script.split('\n').filter((line) => line.startsWith('#') && /['`\\$]/.test(line))).toEqual([])
})

describe.runIf(missing.length === 0)('the examples of', async () => {
  const service = await startService()
  const panel = await startPanel()

  /** What `npm start` creates: both first accounts, a plan, and the files with the passwords. */
  async function evaluation(): Promise<string> {
    const person = { email: ADMIN, name: 'Administrator', password: STAFF_PASSWORD, roles: ['SUPERADMIN' as const] }
    await addStaff(service.run, service.licensing.vault, person)
    await ensureFirstPlan(service.licensing)
    const account = { email: ADMIN, name: 'Administrator', password: PASSWORD }
    const body = { ...account, setupToken: await setupToken(panel.panel) }
    const registered = await panel.call('POST', '/api/auth/register', { body })
    expect(registered.status, registered.text).toBe(201)
    const cwd = scratchPath()
    mkdirSync(join(cwd, '.daybook'), { recursive: true })
    writeFileSync(join(cwd, '.daybook', 'secrets.json'), JSON.stringify({ adminPassword: STAFF_PASSWORD }))
    writeFileSync(join(cwd, '.daybook', 'panel-password'), `${PASSWORD}\n`)
    symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'))
    return cwd
  }

  test('each page work when they are pasted', async () => {
    const cwd = await evaluation()
    for (const { page, script } of examples) {
      // An answer of 4xx or 5xx ends the script.
      const strict = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'
      const here = script.replace(LICENSING, `URL=${service.url}\n`).replace(PANEL, `PANEL=${panel.url}\n`)
      const run = promisify(execFile)('bash', ['-c', strict + here], { cwd })
      const { stdout } = await run.catch((error: unknown) => {
        throw new Error(`${page}: ${JSON.stringify(error)}`, { cause: error })
      })
      for (const shown of SHOWN[page]!) expect(stdout, page).toMatch(shown)
    }
  })
})
