import { Client } from 'pg'

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

/** Ends the sessions that a test left open. */
export function dropDatabase(serverUrl: string, name: string): Promise<void> {
  return run(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

/** For a login that owns nothing, and whose databases no longer exist. */
export async function dropLogin(serverUrl: string, user: string): Promise<void> {
  await run(serverUrl, `DROP ROLE IF EXISTS ${user}`)
}

async function run(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
