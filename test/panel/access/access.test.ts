/**
 * The generated access matrix: every built route × every credential. The catalog and the contract's table
 * give the expected answers.
 */
import { expect, test } from 'vitest'
import { routes } from '../../../src/composition/panel.ts'
import { cellOf } from '../../support/panel/access-cells.ts'
import type { Cell } from '../../support/panel/access-cells.ts'
import { ACCESS } from '../../support/panel/access-table.ts'
import { accessWorld } from '../../support/panel/access-world.ts'
import { byLine, HEALTH } from '../../support/panel/catalog.ts'
import { CREDENTIALS } from '../../support/panel/credentials.ts'
import type { Credential } from '../../support/panel/credentials.ts'
import { withCookie } from '../../support/panel/people.ts'
import { AUDIT_EXCEPTIONS, startPanel } from '../../support/panel/service.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const WHOLE_MATRIX_MS = 600_000
const dataDir = scratchOfFile()
const panel = await startPanel({ compareReadModels: false, dataDir })
const world = await accessWorld(panel, ACCESS)
const built = [...routes.map(({ line }) => line as string), ...HEALTH]

const isRecordedRead = (line: string): boolean => line in AUDIT_EXCEPTIONS.recordedReads

/** How many routes are called at once with a credential that no route takes: no call has an effect on another. */
const AT_ONCE = 8
const isNone = ({ profile: { comes } }: Credential): boolean => comes === 'with nothing' || comes === 'refused'

/**
 * Calls every route in order, so a route may meet the effects of earlier ones. A change is recorded under its
 * request id, and nothing else is.
 */
async function column(credential: Credential): Promise<Cell[]> {
  // No agent runs here, and one that was heard of just now would be waited for.
  await panel.superuser.query(`UPDATE telemetry.server_contact SET at = at - interval '1 hour'`)
  const before = await panel.panel.store.head()
  const cells: Cell[] = []
  const step = isNone(credential) ? AT_ONCE : 1
  for (let at = 0; at < ACCESS.length; at += step)
    cells.push(...(await Promise.all(ACCESS.slice(at, at + step).map((row) => cellOf(world, row, credential)))))
  const recorded = new Set((await panel.history(before)).map(({ metadata }) => metadata['requestId']))
  return cells.map((cell) => {
    const isRecorded = recorded.has(cell.requestId)
    const isChange = (!cell.line.startsWith('GET ') || isRecordedRead(cell.line)) && cell.status < 300
    const untrue = isRecorded === isChange ? undefined : `${cell.line}: ${cell.status} recorded: ${isRecorded}`
    return { ...cell, wrong: cell.wrong ?? untrue }
  })
}

const asked = new Map<Credential, Promise<Cell[]>>()
function columnOf(credential: Credential): Promise<Cell[]> {
  const cells = asked.get(credential) ?? column(credential)
  asked.set(credential, cells)
  return cells
}

async function wholeMatrix(): Promise<Cell[]> {
  const all: Cell[] = []
  for (const credential of CREDENTIALS) all.push(...(await columnOf(credential)))
  return all
}

test('every built route stands in the access table, once, and the other way round', () => {
  expect(
    ACCESS.map(({ line }) => line).toSorted(),
    'each route has a row in test/support/panel/access-table.ts',
  ).toEqual(built.toSorted())
})

test('the access table contradicts the catalog nowhere', () => {
  const wrong = ACCESS.filter(({ line, needs }) => {
    const { auth, requires } = byLine.get(line)!
    const isByCatalog = (auth === 'public') === (needs === 'public') && (auth === 'sse') === needs.startsWith('stream')
    const named = requires ? whoIs(requires) : undefined
    return !((isByCatalog || needs === 'cookie') && (named === undefined || needs.endsWith(named)))
  })
  expect(wrong).toEqual([])
})

/**
 * The word of the contract's table for the catalog's text. Undefined if the catalog says less than the
 * contract, or speaks of a parameter.
 */
function whoIs(requires: string): string | undefined {
  if (/MACHINE|^admin only|^scope=/.test(requires)) return undefined
  if (requires.startsWith('ADMIN on source')) return 'ADMIN+'
  return /SUPERADMIN|ADMIN\+|[a-z]+:[a-z]+|owner/.exec(requires)?.[0].replace('SUPERADMIN', 'superadmin')
}

test.each(CREDENTIALS)('$name', { timeout: WHOLE_MATRIX_MS }, async (credential) => {
  const cells = await columnOf(credential)
  expect(cells.flatMap(({ wrong }) => wrong ?? [])).toEqual([])
  expect(cells.map(({ line }) => line).toSorted()).toEqual(built.toSorted())
})

test('every route was asked with every credential', { timeout: WHOLE_MATRIX_MS }, async () => {
  const cells = await wholeMatrix()
  console.log(`${built.length} routes × ${CREDENTIALS.length} credentials: ${cells.length} cells`)
  expect(new Set(CREDENTIALS.map(({ name }) => name)).size).toBe(50)
  expect(cells).toHaveLength(built.length * 50)
})

test('credentials in the query string, a cookie or another header open nothing', async () => {
  const { as } = world.root
  for (const name of ['token', 'access_token', 'sseToken'])
    expect((await panel.call('GET', `/api/auth/me?${name}=${as}`)).status).toBe(401)
  for (const headers of [{ 'x-api-key': as }, { 'x-access-token': as }, withCookie(as)])
    expect((await panel.call('GET', '/api/auth/me', { headers })).status).toBe(401)
})
