/** The client is a package of its own: `npm pack` of it works in an empty project, with every Node that it names. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findOldNode } from '../support/old-node.ts'
import { scratchPath } from '../support/scratch.ts'

const ROOT = join(import.meta.dirname, '../..')
const NODES = [process.execPath, ...[findOldNode({ majorMin: 20 })].flatMap((node) => node ?? [])]

const run = (directory: string, program: string, ...rest: string[]): string =>
  execFileSync(program, rest, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** @returns an empty project with the packed client in it */
function consumer(): string {
  const scratch = scratchPath()
  const copy = join(scratch, 'src/api-client')
  cpSync(join(ROOT, 'src/api-client'), copy, { recursive: true })
  cpSync(join(ROOT, 'LICENSE'), join(scratch, 'LICENSE'))
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'))
  run(copy, 'npm', 'pack', '--silent', '--pack-destination', scratch)
  const project = join(scratch, 'consumer')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
  const { version } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as { version: string }
  run(project, 'npm', 'install', '--offline', '--no-audit', '--no-fund', `../daybook-api-client-${version}.tgz`)
  return project
}

/** Each `@ts-expect-error` fails the compiler if the line after it is accepted. */
const PROGRAM = `
import { createCall, createFeed, createWalk, Refusal, type DataOf } from 'daybook-api-client'
import { getAdminLicenses, postAdminLicensesByIdRevoke } from 'daybook-api-client/licensing'
import { getEventsStream } from 'daybook-api-client/panel'

const call = createCall({ baseUrl: 'http://127.0.0.1:1', token: () => 'secret' })

export async function typed(id: string): Promise<DataOf<typeof postAdminLicensesByIdRevoke>['effectiveStatus']> {
  for await (const { keyId } of createWalk(call)(getAdminLicenses, { query: { status: 'ACTIVE' } })) keyId.trim()
  for await (const event of createFeed(call, getEventsStream)()) if (event.type === 'change') event.kind.trim()
  // @ts-expect-error a status that does not exist
  await call(getAdminLicenses, { query: { status: 'LOST' } })
  // @ts-expect-error the parameter of the path is missing
  await call(postAdminLicensesByIdRevoke, { body: { reason: 'x' } })
  // @ts-expect-error a read takes no key
  await call(getAdminLicenses, { key: 'x' })
  const { data } = await call(postAdminLicensesByIdRevoke, { params: { id }, body: { reason: 'x' }, key: 'y' })
  return data.effectiveStatus
}

const sent: Request[] = []
const offline = createCall({
  baseUrl: 'http://licensing.example',
  token: async () => 'secret',
  fetch: async (target, init) => {
    sent.push(new Request(target, init))
    return Response.json({ statusCode: 409, message: 'No' }, { status: 409, headers: { 'Error-Code': 'TAKEN' } })
  },
})
const told = await offline(postAdminLicensesByIdRevoke, { params: { id: 'a/b' }, body: { reason: 'x' }, key: 'y' }).catch(
  (error: unknown) => (error instanceof Refusal ? [error.statusCode, error.code, error.message] : error),
)
const { method, url, headers } = sent[0]!
console.log(JSON.stringify([told, method, url, headers.get('authorization'), headers.get('idempotency-key')]))
`

test('packs, installs, compiles under strict options and runs', () => {
  const project = consumer()
  writeFileSync(join(project, 'program.ts'), PROGRAM)
  const options = '--strict --exactOptionalPropertyTypes --target es2022 --lib es2022,dom --module nodenext'.split(' ')
  run(project, process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'program.ts')
  const files = run(join(project, 'node_modules/daybook-api-client'), 'find', '.', '-type', 'f').trim().split('\n')
  expect(files).toEqual(
    expect.arrayContaining(['./README.md', './dist/LICENSE', './dist/index.d.ts', './package.json']),
  )
  expect(
    files.filter(
      (file) => !/^\.\/(README\.md|package\.json|dist\/(LICENSE|([a-z]+\/)?[a-z-]+(\.d\.ts|\.js)))$/.test(file),
    ),
  ).toEqual([])
  for (const node of NODES)
    expect(JSON.parse(run(project, node, 'program.js')), node).toEqual([
      [409, 'TAKEN', 'No'],
      'POST',
      'http://licensing.example/api/admin/licenses/a%2Fb/revoke',
      'Bearer secret',
      'y',
    ])
})

test('its version is that of the services', () => {
  const versionIn = (file: string) =>
    (JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as { version: string }).version
  expect(versionIn('src/api-client/package.json')).toBe(versionIn('package.json'))
})
