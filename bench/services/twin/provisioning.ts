/**
 * Provisioning: the token, the plan, one transaction with every row that the service writes (events, unique
 * constraints, the link of the chain, the data key, the read models), and the license signed with Ed25519. The unique
 * constraints hold by their primary key, and a read right after the answer sees the rows.
 *
 * Not done, so the twin is cheaper than its guarantees: rules and validation, seals (values are those of one real
 * provisioning with new ids), the chain's hash, replays of a reference, reactions, a log that others can read in order.
 */
import { generateKeyPairSync, sign } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { WrittenRows } from '../written-rows.ts'
import type { Handler } from './process.ts'
import { rowsOf, tokenGate } from './reads.ts'
import { rowWriter } from './write-rows.ts'

export async function inTransaction(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await work(client)
    await client.query('COMMIT')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

export function provisioning(pool: Pool, written: WrittenRows): Handler {
  const mayProvision = tokenGate(pool, 'licenses:manage')
  const planOf = rowsOf(pool, 'plan-by-slug', 'SELECT * FROM read.plans WHERE slug = $1')
  const rows = rowWriter(written)
  const [payload, signature] = signedParts(written.answer)
  const { privateKey } = generateKeyPairSync('ed25519')
  return async ({ header, body }) => {
    if (!(await mayProvision(header('authorization')))) return undefined
    const [plan] = await planOf(JSON.parse(await body()).planSlug)
    if (!plan?.['active']) return undefined
    const fresh = rows.fresh()
    await inTransaction(pool, (client) => rows.write(client, fresh))
    const signed = sign(null, payload, privateKey).toString('base64url')
    return { status: 201, body: rows.answer(fresh).replaceAll(signature, signed) }
  }
}

/** What the license of an answer signs, and its signature (RFC 7515, 7.1). */
function signedParts(answer: string): [payload: Buffer, signature: string] {
  const [head, payload, signature] = JSON.parse(answer).licenseKey.split('.')
  return [Buffer.from(`${head}.${payload}`), signature]
}
