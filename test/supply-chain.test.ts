/** What `npm ci` brings (security.md A15): every package by its hash, from one registry, in one version, and no script of it that is not named. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: true
}

const read = (file: string): string => readFileSync(join(import.meta.dirname, '..', file), 'utf8')
const REGISTRY = 'https://registry.npmjs.org/'
const HASH = /^sha512-[A-Za-z0-9+/]{86}==$/

describe.each(['', 'bench/'])('what %jpackage-lock.json holds', (directory) => {
  const { packages } = JSON.parse(read(`${directory}package-lock.json`)) as { packages: Record<string, Locked> }
  const declared = JSON.parse(read(`${directory}package.json`))
  const locked = Object.entries(packages).filter(([path]) => path !== '')
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

  test('comes from no other registry than the one that is set, and has a hash', () => {
    expect(locked.length).toBeGreaterThan(50)
    const strange = locked.filter(
      ([, { resolved = REGISTRY, integrity = '' }]) => !resolved.startsWith(REGISTRY) || !HASH.test(integrity),
    )
    expect(strange.map(([path]) => path)).toEqual([])
  })

  test('is the version that is declared, and each is declared as one', () => {
    const { dependencies, devDependencies, optionalDependencies } = declared
    const all = Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(all.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version)).toEqual([])
  })

  test('runs no script of its own but those that are named, and each that is named has one', () => {
    const scripted = new Set(
      locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path)),
    )
    expect([...scripted].toSorted()).toEqual(Object.keys(declared.allowScripts ?? {}).toSorted())
    const settings = read(`${directory}.npmrc`)
    expect(settings).toMatch(/^(strict-allow-scripts|ignore-scripts)=true$/m)
    // npm itself may run on Node 20: with engine-strict it would install nothing, with warnings it says so five times.
    expect(settings).not.toContain('engine-strict')
  })
})
