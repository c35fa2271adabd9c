/** What `access.test.ts` asks with keys of a SUPERADMIN, asked with MACHINE keys, with one scope alone, of another project, and of deleted ones. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCESS } from './access-table.ts'
import type { Row } from './access-table.ts'
import { keyRing, told, UNKNOWN_ID } from './key-ring.ts'
import type { MintedKey } from './key-ring.ts'
import { projectFloor } from './project-floor.ts'
import { startPanel } from './service.ts'
import type { Reply, Somebody } from './service.ts'

const NO_KEY = 'Invalid or expired API key'
const NOT_OPEN = 'This endpoint is not available to API keys. Use a session.'
const panel = await startPanel({ compareReadModels: false })
await panel.licensed()
const floor = projectFloor(panel)
const { minted, remove } = keyRing(panel)

const guarded = ACCESS.filter(({ needs }) => needs !== 'public' && needs !== 'cookie')
const keyed = ACCESS.flatMap((row) => (row.scope === undefined ? [] : [{ ...row, scope: row.scope }]))
const sessionOnly = guarded.filter(({ scope }) => scope === undefined)
const inProject = keyed.filter(({ needs }) => needs.startsWith('in project'))
const SCOPES = [...new Set(keyed.map(({ scope }) => scope))]
const others = (scope: string) => SCOPES.filter((each) => each !== scope)

let root: Somebody
let own: string
let other: string
beforeAll(async () => {
  root = await panel.somebody('SUPERADMIN')
  own = await floor.project(root, 'own')
  other = await floor.project(root, 'other')
})

let cells = 0
afterAll(() => console.log(`${guarded.length} routes of the panel, ${cells} cells of keys`))

/** Bodies are refused before a handler runs, so nothing changes. */
function knock({ line }: Row, as: string, id = own): Promise<Reply> {
  const [method, path] = line.split(' ') as [string, string]
  cells += 1
  return panel.call(method, path.replaceAll(/:\w+/g, id), { as })
}

const passed = ({ status }: Reply): boolean => ![401, 403, 404, 405, 429].includes(status) && status < 500

function expectRefused(reply: Reply, statusCode: number, message: string): void {
  expect({ status: reply.status, body: reply.body }).toEqual({ status: statusCode, body: { statusCode, message } })
}

/** Keys of each set of scopes and projects, made when they are first asked for. */
const made = new Map<string, Promise<MintedKey>>()
function keyWith(scopes: readonly string[], more: object = {}): Promise<MintedKey> {
  const name = JSON.stringify({ scopes, more })
  const known = made.get(name) ?? minted(root, { scopes, ...more })
  made.set(name, known)
  return known
}

let deleted: Promise<MintedKey> | undefined
const deletedKey = (): Promise<MintedKey> => (deleted ??= minted(root).then(gone))

async function gone(key: MintedKey): Promise<MintedKey> {
  expect((await remove(root, key.id)).status).toBe(204)
  return key
}

describe.each(['PERSONAL', 'MACHINE'])('a %s key', (kind) => {
  test.each(sessionOnly)('of every scope does not open $line', async (row) => {
    expectRefused(await knock(row, (await keyWith(SCOPES, { kind })).secret), 403, NOT_OPEN)
  })

  test.each(keyed)('opens $line with its scope alone, with all, and with no other', async (row) => {
    for (const scopes of [[row.scope], SCOPES]) {
      const reply = await knock(row, (await keyWith(scopes, { kind })).secret)
      expect(passed(reply), reply.text).toBe(true)
    }
    const refused = await knock(row, (await keyWith(others(row.scope), { kind })).secret)
    expectRefused(refused, 403, `Missing scope ${row.scope}`)
  })

  test.each(inProject)('of another project sees on $line what there is not', async (row) => {
    const { secret } = await keyWith(SCOPES, { kind, projectIds: [other] })
    const foreign = await knock(row, secret)
    expect(foreign.status).toBe(404)
    expect(told(foreign)).toEqual(told(await knock(row, secret, UNKNOWN_ID)))
    expect(passed(await knock(row, secret, other))).toBe(true)
  })
})

test.each(guarded)('a deleted key does not open $line', async (row) => {
  expectRefused(await knock(row, (await deletedKey()).secret), 401, NO_KEY)
})
