import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { expect, test, vi } from 'vitest'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { tokenUses } from '#licensing/access/token-uses'
import { tokenAddress } from '#projections/licensing/machine-tokens'
import { pooledDatabase } from '#test/support/pooled-database'

const AT = new Date('2026-01-01T00:00:00.000Z')
const seconds = (count: number) => new Date(AT.getTime() + count * 1_000)
const vault = openVault({ store: memoryKeyStore(), kek: Buffer.alloc(32, 7) })

const { pool } = await pooledDatabase('daybook_service')

async function stored(id: string): Promise<{ at: string; ip: string | null } | undefined> {
  const { rows } = await pool.query('SELECT * FROM telemetry.machine_token_use WHERE token_id = $1', [id])
  if (!rows[0]) return undefined
  const ip: string | null = rows[0].last_used_ip
  return { at: rows[0].last_used_at, ip: ip && (await vault.open(ip, tokenAddress(id))) }
}

test('a first use is stored within a second, sealed', { retry: 2 }, async () => {
  const uses = tokenUses({ pool, vault })
  const id = crypto.randomUUID()
  uses.note(id, AT, '203.0.113.9')
  await sleep(1_000)
  expect(await stored(id)).toEqual({ at: AT.toISOString(), ip: '203.0.113.9' })
  const { rows } = await pool.query('SELECT u::text AS line FROM telemetry.machine_token_use u')
  expect(JSON.stringify(rows)).not.toContain('203.0.113.9')
  await uses.close()
})

test('then at most once a minute, by this process and by others', async () => {
  const id = crypto.randomUUID()
  const [one, other] = [tokenUses({ pool, vault }), tokenUses({ pool, vault })]
  one.note(id, AT, '192.0.2.1')
  one.note(id, seconds(59.999), '192.0.2.2')
  await one.close()
  expect(await stored(id)).toEqual({ at: AT.toISOString(), ip: '192.0.2.1' })
  other.note(id, seconds(59.999), '192.0.2.3')
  await other.close()
  expect(await stored(id)).toEqual({ at: AT.toISOString(), ip: '192.0.2.1' })
  one.note(id, seconds(60))
  await one.close()
  expect(await stored(id)).toEqual({ at: seconds(60).toISOString(), ip: null })
})

test('a thousand calls are one write; a thousand tokens too', async () => {
  const query = vi.spyOn(pool, 'query')
  const uses = tokenUses({ pool, vault })
  const ids = Array.from({ length: 1_000 }, () => crypto.randomUUID())
  for (let call = 0; call < 1_000; call++) uses.note(ids[0]!, seconds(call / 100), '192.0.2.1')
  for (const id of ids) uses.note(id, AT, '192.0.2.1')
  await uses.close()
  expect(query).toHaveBeenCalledTimes(1)
  query.mockRestore()
  expect(await stored(ids[999]!)).toBeDefined()
})

test('a database that is away neither fails nor delays a call, and the use is stored later', async () => {
  let away = true
  const failing = {
    query: (text: string, values: unknown[]) => (away ? Promise.reject(new Error('away')) : pool.query(text, values)),
  } as unknown as Pool
  const errors: unknown[] = []
  const uses = tokenUses({ pool: failing, vault, onError: (error) => errors.push(error) })
  const id = crypto.randomUUID()
  uses.note(id, AT, '192.0.2.1')
  await vi.waitUntil(() => errors.length > 0, { timeout: 10_000 })
  away = false
  await vi.waitUntil(async () => (await stored(id)) !== undefined, { timeout: 10_000 })
  expect(await stored(id)).toEqual({ at: AT.toISOString(), ip: '192.0.2.1' })
  away = true
  uses.note(id, seconds(120), '192.0.2.1')
  await uses.close()
  expect(errors).toHaveLength(2)
})

test('writers of two processes do not wait for each other for ever', async () => {
  const ids = Array.from({ length: 3_000 }, () => crypto.randomUUID())
  const errors: unknown[] = []
  for (let round = 0; round < 5; round++) {
    const writers = [ids, ids.toReversed()].map((order) => {
      const uses = tokenUses({ pool, vault, onError: (error) => errors.push(error) })
      for (const id of order) uses.note(id, seconds(60 * round))
      return uses.close()
    })
    await Promise.all(writers)
  }
  expect(errors).toEqual([])
})
