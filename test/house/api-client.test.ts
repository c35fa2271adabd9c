/** The operations of the client are what `npm run client` writes. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as licensing from '#api-client/licensing'
import * as bareLicensing from '#api-client/licensing/bare'
import type { Operation } from '#api-client/operation'
import * as panel from '#api-client/panel'
import * as barePanel from '#api-client/panel/bare'
import { clientFiles } from '../../scripts/client/files.ts'
import { DOCUMENTED, documentOf, formsOf } from '../../scripts/reference/documents.ts'
import { operationsOf } from '../../src/kernel/http/openapi/operations.ts'

const DIRECTORY = join(import.meta.dirname, '../../src/api-client')
const CLIENTS = { licensing, panel } as const
const BARE = { licensing: bareLicensing, panel: barePanel } as const

test.each(DOCUMENTED)('the client of $name is that of the declarations', async (service) => {
  const files = await clientFiles(service.name, documentOf(service), formsOf(service))
  const written = readdirSync(join(DIRECTORY, service.name)).map((file) => `${service.name}/${file}`)
  expect([`${service.name}.ts`, ...written].toSorted(), 'run `npm run client`').toEqual([...files.keys()].toSorted())
  for (const [path, text] of files) {
    // Compared as a truth value, because a difference of two long texts takes minutes to print.
    expect(text === readFileSync(join(DIRECTORY, path), 'utf8'), `${path}: run \`npm run client\``).toBe(true)
  }
})

/** A panel signs these requests with the key of its license: src/license-client makes them. */
const SIGNED = [
  'POST /api/v1/license/activate',
  'POST /api/v1/license/deactivate',
  'POST /api/v1/license/heartbeat',
  'GET /api/v1/license/versions',
]

const operationsIn = (service: keyof typeof CLIENTS): Readonly<Record<string, Operation>> => {
  const client = { bans: {}, amounts: [], states: {}, ...CLIENTS[service] }
  const { roles: _roles, bans: _bans, kinds: _kinds, amounts: _amounts, states: _states, ...operations } = client
  return operations
}

test.each(DOCUMENTED)('every operation of $name has a constant, except those that a panel signs', (service) => {
  const constants = Object.values(operationsIn(service.name))
  const lines = constants.map(({ method, path }) => `${method} ${path}`)
  const documented = operationsOf(documentOf(service)).map(({ method, path }) => `${method} ${path}`)
  expect(documented.length).toBeGreaterThan(100)
  expect(lines.toSorted()).toEqual(documented.filter((line) => !SIGNED.includes(line)).toSorted())
})

test.each(DOCUMENTED)('a bare operation of $name says the same, without schemas', ({ name }) => {
  const withoutSchemas = Object.entries(operationsIn(name)).map(([constant, operation]) => {
    const { query: _query, body: _body, ...facts } = operation
    return [constant, facts] as const
  })
  expect({ ...BARE[name] }).toEqual(Object.fromEntries(withoutSchemas))
})

test.each(DOCUMENTED)('every field of $name that names a record names one that can be listed', (service) => {
  const paths = new Set(operationsOf(documentOf(service)).map(({ path }) => path.replaceAll(/\{\w+\}\//g, '')))
  const targets = Object.values(service.docs.references ?? {})
  expect(targets.length).toBeGreaterThan(5)
  expect(targets.filter((target) => !paths.has(`/api/${target}`) && !paths.has(`/api/admin/${target}`))).toEqual([])
})

test('a kind of event has its section, and those that show it, but not the audit trail', () => {
  expect(licensing.kinds['license.revoked']).toEqual(expect.arrayContaining(['licenses', 'subscriptions']))
  expect(licensing.kinds['feature.created']).toEqual(['features'])
  expect(panel.kinds['project.changed']).toContain('projects')
})
