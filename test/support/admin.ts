import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'

const CLOSING_MS_MAX = 1_000

/** The URL of another database on the same server, for the same login or another. */
export function databaseUrl(
  serverUrl: string,
  name: string,
  login?: { readonly user: string; readonly password: string },
): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  if (login) [url.username, url.password] = [login.user, encodeURIComponent(login.password)]
  return url.href
}

/** As in an installation, only logins may connect, and no role may create temporary tables. */
export async function createTestDatabase(serverUrl: string, name: string, template = 'template0'): Promise<void> {
  await run(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  await run(serverUrl, `REVOKE CONNECT, TEMPORARY ON DATABASE ${name} FROM PUBLIC`)
}

export function grantConnect(serverUrl: string, name: string, user: string): Promise<void> {
  return run(serverUrl, `GRANT CONNECT ON DATABASE ${name} TO ${user}`)
}

/**
 * Ends the sessions that a test left open. Those that it is closing get a second first: a client that is told of its end
 * while it closes throws where no test catches.
 */
export function dropDatabase(serverUrl: string, name: string): Promise<void> {
  return connected(serverUrl, async (client) => {
    const untilMs = performance.now() + CLOSING_MS_MAX
    const sessions = () => client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])
    while (performance.now() < untilMs && (await sessions()).rowCount! > 0) await pause(20)
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  })
}

/** For a login that owns nothing, and whose databases no longer exist. */
export async function dropLogin(serverUrl: string, user: string): Promise<void> {
  await run(serverUrl, `DROP ROLE IF EXISTS ${user}`)
}

const run = (serverUrl: string, statement: string): Promise<void> =>
  connected(serverUrl, async (client) => void (await client.query(statement)))

async function connected(serverUrl: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
