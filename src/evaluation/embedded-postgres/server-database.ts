import { Client } from 'pg'

/**
 * Creates the database if it is missing.
 * @param serverUrl ends with a slash
 * @throws Error for the user if the password is wrong
 */
export async function ensureDatabase(serverUrl: string, name: string, pgdata: string): Promise<void> {
  const client = new Client({ connectionString: `${serverUrl}postgres` })
  try {
    await client.connect()
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`)
  } catch (error) {
    throw wrongPassword(error) ? passwordError(pgdata, error) : error
  } finally {
    await client.end()
  }
}

function wrongPassword(error: unknown): boolean {
  return (error as { code?: string }).code === '28P01'
}

function passwordError(pgdata: string, cause: unknown): Error {
  const what = `The database password is not valid for ${pgdata}, which was created with other secrets.`
  return new Error(`${what} Restore the secrets.json that belongs to it, or start with a new DAYBOOK_DATA_DIR.`, {
    cause,
  })
}
