import { Client } from 'pg'

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export function createTestDatabase(serverUrl: string, name: string, template = 'template0'): Promise<void> {
  return run(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
}

/** Sessions that a test left open are ended. */
export function dropDatabase(serverUrl: string, name: string): Promise<void> {
  return run(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
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
