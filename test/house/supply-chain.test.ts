/**
 * What `npm ci` installs (security.md A15): every package by its hash, including the Node that runs, from one
 * registry and in one version. No package has a known advisory, and no script runs that is not named.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findings, isAccepted, isFreshOn, readAdvisories } from '../../scripts/supply/advisories.ts'
import { youngerThan } from '../../scripts/supply/ages.ts'
import { billOfMaterials } from '../../scripts/supply/bill.ts'
import { LOCKS, lockedIn } from '../../scripts/supply/lock.ts'
import type { Locked } from '../../scripts/supply/lock.ts'
import { npmCi, projectWith, registryWith } from '../support/npm-registry.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const HASH = /^sha512-[A-Za-z0-9+/]{86}==$/
const DAY_MS = 86_400_000
const list = readAdvisories()

describe.each(LOCKS)('what %s holds', (lock) => {
  const directory = lock.replace('package-lock.json', '')
  const declared = JSON.parse(read(`${directory}package.json`))
  const locked = lockedIn(lock)

  test('comes from no other registry than the one that is set, and has a hash', () => {
    expect(locked.length).toBeGreaterThan(50)
    // Without an address, npm asks the registry that is configured; the hash decides what it takes.
    const strange = locked.filter(({ resolved, integrity = '' }) => resolved !== undefined || !HASH.test(integrity))
    expect(strange.map(({ path }) => path)).toEqual([])
  })

  test('is the version that is declared, and each is declared as one', () => {
    const { dependencies, devDependencies, optionalDependencies } = declared
    const all = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
    const versionOf = (name: string) => locked.find(({ path }) => path === `node_modules/${name}`)?.version
    expect(all.filter(([name, version]) => versionOf(name) !== version)).toEqual([])
  })

  test('runs no script of its own but those that are named, and each that is named has one', () => {
    const scripted = new Set(locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name))
    expect([...scripted].toSorted()).toEqual(Object.keys(declared.allowScripts ?? {}).toSorted())
    expect(read(`${directory}.npmrc`)).toMatch(/^(strict-allow-scripts|ignore-scripts)=true$/m)
  })

  test('has no known advisory but those that are accepted, and each of these is there', () => {
    const found = findings(lock, locked, list.advisories)
    expect(found.filter((each) => !isAccepted(each, list))).toEqual([])
    const there = found.map(({ advisory: { id } }) => id)
    const gone = list.accepted.filter((each) => each.lock === lock && !there.includes(each.id))
    expect(gone, 'accepted, and not there any more').toEqual([])
  })
})

describe('the list of advisories', () => {
  const koa = (version: string): Locked => ({ name: 'koa', path: 'node_modules/koa', version })
  const found = (version: string) =>
    findings('package-lock.json', [koa(version)], list.advisories).map(({ advisory: { id } }) => id)

  test('knows which versions are affected, those before a release included', () => {
    expect(found('3.1.1')).toEqual(['GHSA-7gcc-r8m5-44qm'])
    expect(found('3.1.2')).toEqual([])
    expect(found('3.0.0-alpha.4')).toEqual(['GHSA-x2rg-q646-7m2v'])
    expect(found('3.1.2-rc.1')).toEqual(['GHSA-7gcc-r8m5-44qm'])
  })

  test('is fresh for thirty days', () => {
    const after = (days: number) =>
      isFreshOn({ asOf: '2026-09-01' }, new Date(Date.parse('2026-09-01') + days * DAY_MS))
    expect([after(0), after(30), after(31)]).toEqual([true, true, false])
  })
})

test('the bill of materials names everything that the lock does, by its hash, and is the same each time', () => {
  const bill = billOfMaterials()
  expect(billOfMaterials()).toBe(bill)
  expect(bill).not.toMatch(/serialNumber|timestamp|registry\./)
  const { components } = JSON.parse(bill) as {
    components: { name: string; version: string; hashes: { alg: string; content: string }[] }[]
  }
  const named = new Set(components.map(({ name, version, hashes }) => `${name} ${version} ${hashes[0]?.content}`))
  const missing = lockedIn('package-lock.json').filter(({ name, version, integrity = '' }) => {
    const hash = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex')
    return !named.has(`${name} ${version} ${hash}`)
  })
  expect(missing.map(({ path }) => path)).toEqual([])
})

test('the image holds no package that only the build of the pages needs', () => {
  const { optionalDependencies } = JSON.parse(read('package.json'))
  const bound = lockedIn('package-lock.json').filter(({ os }) => os !== undefined)
  const platforms = new Set(bound.map(({ name }) => name))
  const [, removed] = /npm uninstall --no-save(?: --[\w=-]+)* \\\n +([^\n]+)\n/.exec(read('Dockerfile'))!
  expect(removed!.split(' ')).toEqual(Object.keys(optionalDependencies).filter((name) => !platforms.has(name)))
})

describe('the Node that runs', () => {
  const nodes = lockedIn('package-lock.json').filter(({ bin }) => bin?.['node'])
  const own = nodes.find(({ os, cpu }) => os === process.platform && cpu === process.arch)

  test('is for each platform a package of the lock that the bin knows, and runs no script', () => {
    const byPlatform = nodes.map(({ os, cpu, name, optional, hasInstallScript }) => ({
      line: `'${String(os)}-${String(cpu)}': '${name}'`,
      optional,
      hasInstallScript,
    }))
    const [optional, hasInstallScript] = [true, undefined]
    expect(byPlatform.map((each) => ({ ...each, line: each.line.split("'")[1] }))).toEqual(
      ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map((line) => ({ line, optional, hasInstallScript })),
    )
    for (const { line } of byPlatform) expect(read('bin/bundled-node.mjs')).toContain(line)
  })

  test.runIf(own)('comes first for every script of npm, as the lock says', () => {
    const program = join(ROOT, 'node_modules/.bin/node')
    expect(realpathSync(program)).toContain(join('node_modules', own!.name, 'bin') + sep)
    expect(execFileSync(program, ['-v'], { encoding: 'utf8' })).toBe(`v${own!.version}\n`)
  })

  describe.runIf(own)('changed on its way here', () => {
    const { name, version } = own!
    const says = 'changed'
    const program = (directory: string) => join(directory, 'node_modules/.bin/node')

    test.each([
      ['tells the hash of what it hands out', undefined],
      ['tells the hash of the lock', own!.integrity],
    ])('does not start, where the registry %s', async (_how, integrity) => {
      const { url } = await registryWith({ name, version, says, integrity })
      const directory = projectWith(own!)
      await npmCi(directory, url)
      expect([existsSync(program(directory)), existsSync(join(directory, 'node_modules', name))]).toEqual([
        false,
        false,
      ])
    })

    test('would start, were its hash not in the lock', async () => {
      const { url } = await registryWith({ name, version, says })
      const { integrity: _left, ...unhashed } = own!
      const directory = projectWith(unhashed)
      await npmCi(directory, url)
      expect(execFileSync(program(directory), { encoding: 'utf8' })).toBe('changed\n')
    })
  })
})

describe('npm run release', () => {
  const [name, version, days] = ['left-pad', '1.3.0', 7]

  async function young({ optional, age }: { optional?: true; age: number }): Promise<string[]> {
    const publishedAt = new Date(Date.now() - age * DAY_MS)
    const { url: registry, hash: integrity } = await registryWith({ name, version, says: 'hello', publishedAt })
    const directory = projectWith({ name, version, path: '', integrity, ...(optional && { optional }) })
    await npmCi(directory, registry)
    return youngerThan({ directory, registry, days })
  }

  test('notices what was published less than a week ago, also where npm would leave it out in silence', async () => {
    expect(await young({ age: 6 })).toEqual([expect.stringContaining('left-pad@1.3.0 with a date before')])
    expect(await young({ age: 6, optional: true })).toEqual(['node_modules/left-pad'])
    expect(await young({ age: 8 })).toEqual([])
  })
})

/**
 * npm itself may run on Node 20. With engine-strict it would install nothing; with its warnings it reports
 * packages that never run there.
 */
test('npm warns of nothing that whoever installs could mend', () => {
  expect(read('.npmrc')).toMatch(/^loglevel=error$/m)
  expect(read('.npmrc')).not.toContain('engine-strict')
})
