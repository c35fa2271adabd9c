/** Every route of the panel with an id gives the same answer to the id in upper case. */
import { expect, test } from 'vitest'
import type { Ids } from '../../support/panel/access-objects.ts'
import { ACCESS } from '../../support/panel/access-table.ts'
import type { Row } from '../../support/panel/access-table.ts'
import { accessWorld } from '../../support/panel/access-world.ts'
import { CREDENTIALS } from '../../support/panel/credentials.ts'
import type { Person } from '../../support/panel/credentials.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const dataDir = scratchOfFile()
const panel = await startPanel({ compareReadModels: false, dataDir })
const { root, things } = await accessWorld(panel, ACCESS)
const named = ACCESS.filter(({ line }) => line.includes('/:') && !line.includes(':key'))

/**
 * The account that may call the route: the owner of the named object, or a SUPERADMIN. The owner cannot leave
 * it, so a VIEWER does.
 */
function roleOf({ line, needs }: Row): 'OWNER' | 'VIEWER' | undefined {
  if (!needs.startsWith('in ')) return undefined
  return line.endsWith('/members/me') ? 'VIEWER' : 'OWNER'
}
const people = CREDENTIALS.flatMap(({ profile }) => (profile.comes === 'by session' ? profile.person : []))
function askerOf(row: Row): { asker: TestUser; person: Person } {
  const role = roleOf(row)
  const person = people.find((each) => each.inProject === role && (role !== undefined || each.role === 'SUPERADMIN'))!
  return { asker: role ? things.members[role] : root, person }
}

function ask({ line }: Row, ids: Ids, as: string) {
  const [method = '', path = ''] = line.split(' ')
  return panel.call(
    method,
    path.replaceAll(/:(\w+)/g, (_all, name: string) => ids[name]!),
    { as },
  )
}

const UUID = /^[0-9a-f]{8}-/

/** Objects of a container engine have its ids, which have one spelling. */
const inUpperCase = (ids: Ids): Ids =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, UUID.test(id) ? id.toUpperCase() : id]))

test.each(named.map((row) => [row.line, row] as const))('%s', async (line, row) => {
  const { asker, person } = askerOf(row)
  const answered = async (spelled: (ids: Ids) => Ids) => {
    const { status, headers } = await ask(row, spelled(await things.fresh(row, asker, person)), asker.as)
    return { status, code: headers.get('error-code') }
  }
  const upper = await answered(inUpperCase)
  expect(upper).toEqual(await answered((ids) => ids))
  expect(upper.status).not.toBe(404)
  if (!line.startsWith('GET ')) return
  const ids = things.standing(row)
  expect((await ask(row, inUpperCase(ids), asker.as)).text).toBe((await ask(row, ids, asker.as)).text)
})
