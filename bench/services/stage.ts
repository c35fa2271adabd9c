/** The services as they run in production, each in a process of its own, on one durable Postgres. */
import { randomBytes } from 'node:crypto'
import { ADMIN, BIN, SETUP_TOKEN, openProject, openShop } from '../../scripts/figures/bench.ts'
import type { Project, Shop } from '../../scripts/figures/bench.ts'
import { child, freePort } from '../../scripts/figures/child.ts'
import type { Child } from '../../scripts/figures/child.ts'
import { migrate } from '../../src/kernel/store/migrate.ts'
import type { Server } from '../server.ts'

/** The public address of the licensing service, which signatures cover. */
export const BASE_URL = 'http://licensing.test'

export interface Service extends Pick<Child, 'pid' | 'stop'> {
  readonly port: number
  readonly url: string
}

export type Licensing = Service & Shop
export type Panel = Service & Project

/** A new database, migrated. @returns its URL */
async function databaseOf(server: Server, name: string): Promise<string> {
  await server.create(name)
  await migrate(server.url(name))
  return server.url(name)
}

const secretKey = (): string => randomBytes(32).toString('base64')

/** A first process of the licensing service, and what starts more of them on the same database. */
export async function startLicensing(server: Server) {
  const databaseUrl = await databaseOf(server, 'licensing')
  const shared = {
    DATABASE_URL: databaseUrl,
    DAYBOOK_SECRET_KEY: secretKey(),
    DAYBOOK_ADMIN_EMAIL: ADMIN.email,
    DAYBOOK_ADMIN_PASSWORD: ADMIN.password,
    LICENSING_URL: BASE_URL,
    LICENSING_HOST: '127.0.0.1',
  }
  const another = async (): Promise<Service> => {
    const port = await freePort()
    const env = { ...shared, LICENSING_PORT: String(port) }
    const { pid, stop } = await child([BIN, 'licensing'], env, 'licensing service started')
    return { pid, stop, port, url: `http://127.0.0.1:${port}` }
  }
  const first = await another()
  const licensing: Licensing = { ...first, ...(await openShop(first.url)) }
  return { databaseUrl, licensing, another }
}

/**
 * @param prepare works on the database before the panel starts
 * @param name of its database
 */
export async function startPanel(
  server: Server,
  prepare: (databaseUrl: string, secretKey: string) => Promise<void> = async () => {},
  name = 'panel',
) {
  const [databaseUrl, key] = [await databaseOf(server, name), secretKey()]
  await prepare(databaseUrl, key)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PANEL_DATABASE_URL: databaseUrl,
    PANEL_SECRET_KEY: key,
    PANEL_URL: url,
    PANEL_HOST: '127.0.0.1',
    PANEL_PORT: String(port),
  }
  const { pid, stop, said } = await child([BIN, 'panel'], env, 'with this setup token')
  const panel: Panel = { pid, stop, port, ...(await openProject(url, SETUP_TOKEN.exec(said())![1]!)) }
  return { databaseUrl, panel }
}
