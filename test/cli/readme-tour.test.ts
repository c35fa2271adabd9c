/** The tour of the README, pasted from top to bottom into a shell beside a service that answers. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { addStaff } from '#licensing/access/staff-accounts'
import { STAFF_PASSWORD, startService } from '#test/support/licensing/service'
import { scratchPath } from '../support/scratch.ts'

const ROOT = join(import.meta.dirname, '../..')
const ADDRESS = 'URL=http://127.0.0.1:4000\n'
/** As `npm start` makes the first account. */
const ADMIN = 'admin@daybook.localhost'

const NEEDED = ['bash', 'curl', 'jq']
const missing = NEEDED.filter((program) => spawnSync(program, ['--version']).status !== 0)
if (missing.length > 0) console.warn(`!! ${missing.join(' and ')} not installed: the README's tour is not run here`)

/** The shell's part of a section: what stands in its blocks. */
function pasted(heading: string): string {
  const [, section = ''] = readFileSync(join(ROOT, 'README.md'), 'utf8').split(`\n## ${heading}\n`)
  const [tour = ''] = section.split('\n| Under `/api/admin`')
  return [...tour.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n')
}

const tour = pasted('API tour')

test('the tour names what it needs, and each of its variables is set before it is read', () => {
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain('With `curl` and `jq`, top to bottom')
  expect(tour.split(ADDRESS)).toHaveLength(2)
  const set = new Set<string>()
  for (const line of tour.split('\n')) {
    const read = [...line.matchAll(/\$([A-Z_]+)/g)].map(([, name]) => name!)
    expect(
      read.filter((name) => !set.has(name)),
      line,
    ).toEqual([])
    for (const [, name] of line.matchAll(/^([A-Z_]+)=/g)) set.add(name!)
  }
  // A shell that takes comments for commands would go on with the next line only if they leave nothing open.
  expect(tour.split('\n').filter((line) => line.startsWith('#') && /['`\\$]/.test(line))).toEqual([])
})

describe.runIf(missing.length === 0)('the tour', async () => {
  const service = await startService()

  test('works when it is pasted from top to bottom', async () => {
    const person = { email: ADMIN, name: 'Administrator', password: STAFF_PASSWORD, roles: ['SUPERADMIN' as const] }
    await addStaff(service.run, service.licensing.vault, person)
    const cwd = scratchPath()
    mkdirSync(join(cwd, '.daybook'), { recursive: true })
    writeFileSync(join(cwd, '.daybook', 'secrets.json'), JSON.stringify({ adminPassword: STAFF_PASSWORD }))
    symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'))
    // What people see, and an answer of 4xx or 5xx ends it.
    const strict = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n'
    const script = strict + tour.replace(ADDRESS, `URL=${service.url}\n`)
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd })
    expect(stdout).toMatch(/aud: 'daybook-panel'/)
    expect(stdout).toMatch(/"seats": 8/)
    expect(stdout).toMatch(/"effectiveStatus": "REVOKED"/)
    expect(stdout).toMatch(/license\.key_read/)
  })
})
