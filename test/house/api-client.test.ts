/** The operations of the client are what `npm run client` writes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as licensing from '#api-client/licensing'
import type { Operation } from '#api-client/operation'
import * as panel from '#api-client/panel'
import { clientModule } from '../../scripts/client/module.ts'
import { DOCUMENTED, documentOf, formsOf } from '../../scripts/reference/documents.ts'
import { operationsOf } from '../../src/kernel/http/openapi/operations.ts'

const DIRECTORY = join(import.meta.dirname, '../../src/api-client')
const CLIENTS = { licensing, panel } as const

test.each(DOCUMENTED)('the client of $name is that of the declarations', async (service) => {
  const written = readFileSync(join(DIRECTORY, `${service.name}.ts`), 'utf8')
  // Compared as a truth value, because a difference of two long texts takes minutes to print.
  const client = await clientModule(service.name, documentOf(service), formsOf(service))
  expect(client === written, 'run `npm run client`').toBe(true)
})

/** A panel signs these requests with the key of its license: src/license-client makes them. */
const SIGNED = [
  'POST /api/v1/license/activate',
  'POST /api/v1/license/deactivate',
  'POST /api/v1/license/heartbeat',
  'GET /api/v1/license/versions',
]

test.each(DOCUMENTED)('every operation of $name has a constant, except those that a panel signs', (service) => {
  const { roles: _roles, bans: _bans, kinds: _kinds, ...operations } = { bans: {}, ...CLIENTS[service.name] }
  const constants: readonly Operation[] = Object.values(operations)
  const lines = constants.map(({ method, path }) => `${method} ${path}`)
  const documented = operationsOf(documentOf(service)).map(({ method, path }) => `${method} ${path}`)
  expect(documented.length).toBeGreaterThan(100)
  expect(lines.toSorted()).toEqual(documented.filter((line) => !SIGNED.includes(line)).toSorted())
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
