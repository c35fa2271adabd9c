/** Git providers of a person, one of them shared with a project. */
import type { PanelTeller, Person } from './panel-people.ts'
import type { Call } from './telling.ts'

/** Of a kind without an API, so that nothing is called. */
const GENERIC = { kind: 'GENERIC', baseUrl: 'https://forge.example', token: 'the-token-of-the-forge' }

export async function connectsProviders(call: Call, teller: PanelTeller, { as }: Person): Promise<void> {
  const connect = async (body: object): Promise<string> =>
    (await call('POST /api/git-providers', { as, body: { ...GENERIC, ...body } })).body.id
  const [{ id: projectId }] = (await call('GET /api/projects', { as })).body
  const own = await connect({ name: 'Mine', username: 'ada' })
  await connect({ name: 'Ours', projectId, repositories: ['ada/shop', 'ada/notes'] })
  await call(`DELETE /api/git-providers/${own}`, { as })
  await teller.settle()
}
