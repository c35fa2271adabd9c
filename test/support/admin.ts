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
export function createTestDatabase(serverUrl: string, name: string, template = 'template0'): Promise<void> {
  return connected(serverUrl, async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
    await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${name} FROM PUBLIC`)
  })
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
    await untilLeft(client, name)
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  })
}

async function untilLeft(client: Client, name: string): Promise<void> {
  const untilMs = performance.now() + CLOSING_MS_MAX
  const sessions = () => client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])
  while (performance.now() < untilMs && (await sessions()).rowCount! > 0) await pause(20)
}

/** The databases of the server whose names begin with these letters. */
export function databasesOf(serverUrl: string, prefix: string): Promise<string[]> {
  return connected(serverUrl, async (client) => {
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [prefix])
    return rows.map(({ datname }) => datname)
  })
}

/** Makes a database from a template, and fills it. Of several processes that want it, one makes it. */
export function createOnce(
  serverUrl: string,
  { name, template, fill }: { name: string; template: string; fill: (url: string) => Promise<void> },
): Promise<void> {
  return connected(serverUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name])
    if ((await client.query('SELECT FROM pg_database WHERE datname = $1', [name])).rowCount! > 0) return
    const unfinished = `${name}_unfinished`
    await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`)
    await createTestDatabase(serverUrl, unfinished, template)
    await fill(databaseUrl(serverUrl, unfinished))
    await untilLeft(client, unfinished)
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`)
  })
}

/** For a login that owns nothing, and whose databases no longer exist. */
export async function dropLogin(serverUrl: string, user: string): Promise<void> {
  await run(serverUrl, `DROP ROLE IF EXISTS ${user}`)
}

const run = (serverUrl: string, statement: string): Promise<void> =>
  connected(serverUrl, async (client) => void (await client.query(statement)))

async function connected<Result>(serverUrl: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
