/**
 * The panel's routes beside the catalog that its contract is written in: method, path, credential and scope. What the catalog names and
 * no stage has built is registered nowhere.
 */
import { expect, test } from 'vitest'
import { KEY, SSE } from '#panel/identity/access'
import { routes } from '../src/panel-app.ts'
import { byLine, catalog, HEALTH } from './panel/catalog.ts'
import { STAGE_1 } from './panel/stage-1.ts'

const built = [...routes.map(({ line }) => line as string), ...HEALTH]

test('the catalog is whole', () => {
  expect(catalog).toHaveLength(468)
  expect(byLine.size).toBe(468)
  expect(catalog.filter(({ scope }) => scope !== null)).toHaveLength(62)
  expect(new Set(catalog.flatMap(({ scope }) => scope ?? [])).size).toBe(21)
  expect(STAGE_1).toHaveLength(137)
  expect(STAGE_1.filter((line) => byLine.get(line)!.scope !== null)).toHaveLength(8)
})

test('what is built agrees with the catalog', () => {
  for (const { line, access, upload } of routes) {
    const entry = byLine.get(line)
    expect(entry, `${line} stands in the catalog`).toBeDefined()
    const { auth, scope, raw_body: isRaw = false } = entry!
    const isOpenToKeys = access.kinds.includes(KEY)
    expect(isOpenToKeys, `${line} open to keys`).toBe(auth === 'session-or-key')
    expect(access.scope ?? null, `${line} scope`).toBe(scope)
    expect(access.by === SSE, `${line} by an SSE token`).toBe(auth === 'sse')
    expect(upload !== undefined, `${line} takes raw bytes`).toBe(isRaw)
    // Logout takes the cookie alone when the session has run out (security.md A12), so its gate is the handler's proof.
    if (line !== 'POST /api/auth/logout') expect(access.kinds.length === 0, `${line} public`).toBe(auth === 'public')
  }
})

test('what is built is the first stage, whole and nothing beyond it', () => {
  const keyReachable = built.filter((line) => (byLine.get(line)?.scope ?? null) !== null).length
  console.log(`built ${built.length} of ${catalog.length} (${keyReachable} of 62 key-reachable)`)
  expect(built.toSorted()).toEqual(STAGE_1.toSorted())
})
