import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseKeyEncryptionKey } from '#kernel/vault/vault'
import {
  loadOrCreatePanelPassword,
  loadOrCreateSecrets,
  loadSecrets,
  panelPasswordPath,
} from '../../src/evaluation/secrets-file.ts'
import { race } from '../support/race.ts'
import { scratchPath } from '../support/scratch.ts'

test('generates once, keeps it at 0600, and leaves nothing else', () => {
  const dataDir = scratchPath()
  const secrets = loadOrCreateSecrets(dataDir)
  expect(loadOrCreateSecrets(dataDir)).toEqual(secrets)
  expect(readdirSync(dataDir)).toEqual(['secrets.json'])
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  expect(statSync(dataDir).mode & 0o007).toBe(0)
})

test('generates strong secrets, others every time', () => {
  const [one, other] = [loadOrCreateSecrets(scratchPath()), loadOrCreateSecrets(scratchPath())]
  expect(parseKeyEncryptionKey(one.secretKey)).toHaveLength(32)
  expect(one.adminPassword).toMatch(/^(?:[a-zA-Z2-9]{5}-){4}[a-zA-Z2-9]{5}$/)
  expect(one.databasePassword.length).toBeGreaterThanOrEqual(32)
  for (const name of ['secretKey', 'adminPassword', 'databasePassword'] as const)
    expect(one[name]).not.toBe(other[name])
})

test.each([0o640, 0o604, 0o660, 0o620])(
  'refuses a file of mode %o, says how to mend it, and does not show it',
  (mode) => {
    const dataDir = scratchPath()
    const { adminPassword } = loadOrCreateSecrets(dataDir)
    const path = join(dataDir, 'secrets.json')
    chmodSync(path, mode)
    expect(() => loadOrCreateSecrets(dataDir)).toThrow(`Run chmod 600 ${path}`)
    expect(() => loadOrCreateSecrets(dataDir)).not.toThrow(adminPassword)
    chmodSync(path, 0o600)
    expect(loadOrCreateSecrets(dataDir).adminPassword).toBe(adminPassword)
  },
)

test.each(['', '{', '[]', '{"secretKey":"canary"}'])(
  'refuses the damaged file %j without replacing or showing it',
  (content) => {
    const dataDir = scratchPath()
    loadOrCreateSecrets(dataDir)
    const path = join(dataDir, 'secrets.json')
    writeFileSync(path, content)
    expect(() => loadOrCreateSecrets(dataDir)).toThrow('is damaged')
    expect(() => loadOrCreateSecrets(dataDir)).not.toThrow('canary')
    expect(readFileSync(path, 'utf8')).toBe(content)
  },
)

test.each(['elsewhere.json', 'nowhere.json'])('refuses a symbolic link to %s', (target) => {
  const dataDir = scratchPath()
  loadOrCreateSecrets(dataDir)
  const path = join(dataDir, 'secrets.json')
  renameSync(path, join(dataDir, 'elsewhere.json'))
  symlinkSync(target, path)
  expect(() => loadOrCreateSecrets(dataDir)).toThrow('is not a file')
})

test.each(['in it', 'elsewhere'])('missing beside a database %s, it is asked for and not made anew', (place) => {
  const [dataDir, elsewhere] = [scratchPath(), scratchPath()]
  loadOrCreateSecrets(dataDir)
  const path = join(dataDir, 'secrets.json')
  rmSync(path)
  mkdirSync(join(place === 'in it' ? dataDir : elsewhere, 'postgres'), { recursive: true })
  if (place === 'elsewhere') writeFileSync(join(dataDir, 'postgres-home'), `${elsewhere}\n`)
  for (const load of [loadOrCreateSecrets, loadSecrets])
    expect(() => load(dataDir)).toThrow(`${path} is missing, and the database beside it cannot be read without it.`)
  expect(existsSync(path)).toBe(false)
})

test('who only looks for an evaluation makes none', () => {
  const [nowhere, empty] = [scratchPath(), scratchPath()]
  mkdirSync(empty)
  expect([loadSecrets(nowhere), loadSecrets(empty)]).toEqual([undefined, undefined])
  expect([existsSync(nowhere), readdirSync(empty)]).toEqual([false, []])
  const secrets = loadOrCreateSecrets(nowhere)
  expect(loadSecrets(nowhere)).toEqual(secrets)
})

test('the password for the panel is made once, beside secrets that an older release still reads', () => {
  const dataDir = scratchPath()
  const { adminPassword } = loadOrCreateSecrets(dataDir)
  const password = loadOrCreatePanelPassword(dataDir)
  expect(password).toMatch(/^(?:[a-zA-Z2-9]{5}-){4}[a-zA-Z2-9]{5}$/)
  expect(password).not.toBe(adminPassword)
  expect(loadOrCreatePanelPassword(dataDir)).toBe(password)
  expect(Object.keys(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')))).toEqual([
    'secretKey',
    'databasePassword',
    'adminEmail',
    'adminPassword',
  ])
  const path = panelPasswordPath(dataDir)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  chmodSync(path, 0o644)
  expect(() => loadOrCreatePanelPassword(dataDir)).toThrow(`Run chmod 600 ${path}`)
})

test('processes that start at once agree', async () => {
  const base = scratchPath()
  const source = new URL('../../src/evaluation/secrets-file.ts', import.meta.url)
  const rounds = await race(source, `it.loadOrCreateSecrets(${JSON.stringify(base)} + '/' + round).secretKey`)
  for (const keys of rounds) expect(new Set(keys).size, String(keys)).toBe(1)
})
