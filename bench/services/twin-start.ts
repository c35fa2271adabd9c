/** Starts the twin beside the licensing service and the panel, on their databases, and checks that it answers alike. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import pg from 'pg'
import { order, post } from '../../scripts/figures/bench.ts'
import { child, freePort } from '../../scripts/figures/child.ts'
import { connected } from '../seeded.ts'
import type { BenchPanel, License } from './panels.ts'
import { activation, heartbeat, sellLicenses, sent } from './panels.ts'
import { BASE_URL } from './stage.ts'
import type { Licensing, Panel, Service } from './stage.ts'
import type { TwinSettings } from './twin/process.ts'
import { copyTables, writtenRows } from './written-rows.ts'
import type { WrittenRows } from './written-rows.ts'

const PROGRAM = join(import.meta.dirname, 'twin/process.ts')
const TELEMETRY = ['telemetry.heartbeat', 'telemetry.request_nonce']

export interface Ours {
  readonly licensing: Licensing
  readonly licensingDatabase: string
  readonly panel: Panel
  readonly panelDatabase: string
}

export async function startTwin({ licensing, panel, ...databases }: Ours): Promise<Service> {
  const { provisioned, activated } = await connected(databases.licensingDatabase, (client) =>
    patterns(client, licensing),
  )
  const port = await freePort()
  const { host: authority } = new URL(BASE_URL)
  const { projectName } = panel
  const settings: TwinSettings = { port, ...databases, authority, projectName, provisioned, activated }
  const { pid, stop } = await child([PROGRAM], { TWIN: JSON.stringify(settings) }, 'the twin listens')
  return { pid, stop, port, url: `http://127.0.0.1:${port}` }
}

async function patterns(
  client: pg.Client,
  licensing: Licensing,
): Promise<{ provisioned: WrittenRows; activated: WrittenRows }> {
  const licenses = await sellLicenses(licensing, 2)
  const provisioned = await writtenRows(client, () =>
    post(licensing.url, '/api/admin/provisioning', order(), licensing.token),
  )
  const activated = await writtenRows(client, () => sent(licensing.url, activation(licenses.pop()!).request))
  const written = [...provisioned.tables, ...activated.tables].map(({ table }) => table)
  await copyTables(client, new Set([...written, ...TELEMETRY]))
  await client.query('CREATE TABLE bare.license_secret (key_id text PRIMARY KEY, k text NOT NULL)')
  return { provisioned, activated }
}

/** Only the service can open the secrets that it has sealed. */
export async function tellSecrets(licensingDatabase: string, licenses: readonly License[]): Promise<void> {
  const secrets = [licenses.map(({ keyId }) => keyId), licenses.map(({ k }) => k.toString('base64url'))]
  await connected(licensingDatabase, (client) =>
    client.query('INSERT INTO bare.license_secret SELECT * FROM unnest($1::text[], $2::text[])', secrets),
  )
}

/**
 * The same bytes for a read, and as many bytes for what is new each time: otherwise a twin would be measured that does
 * something else.
 * @throws AssertionError
 */
export async function checkTwin(
  twin: Service,
  { licensing, panel }: Ours,
  example: { readonly license: License; readonly panel: BenchPanel },
): Promise<void> {
  const read = async (url: string, secret: string) =>
    (await fetch(url, { headers: { authorization: `Bearer ${secret}` } })).text()
  for (const [path, { url }, secret] of [
    [`/api/admin/plans/${licensing.planId}`, licensing, licensing.token],
    [`/api/projects/${panel.projectId}`, panel, panel.key],
  ] as const)
    assert.equal(await read(twin.url + path, secret), await read(url + path, secret))
  const provisioned = ({ url }: Service) => post(url, '/api/admin/provisioning', order(), licensing.token)
  const activated = ({ url }: Service) => sent(url, activation(example.license).request)
  const heard = ({ url }: Service) => sent(url, heartbeat(example.panel))
  for (const ask of [provisioned, activated, heard]) {
    const [theirs, own] = [await ask(twin), await ask(licensing)]
    assert.equal(JSON.stringify(theirs).length, JSON.stringify(own).length)
  }
}
