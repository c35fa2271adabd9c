import { afterAll, describe, expect, it } from 'vitest'
import { servicePool } from '#kernel/store/connection'
import { testDatabase } from '#test/database'

const database = await testDatabase()
afterAll(() => database.drop())

describe('a pool', () => {
  it('hands on no connection that is still busy with a query that somebody gave up', async () => {
    const pool = servicePool(database.url, { max: 1 })
    const client = await pool.connect()
    const slow = { text: 'SELECT pg_sleep(3)', query_timeout: 100 }
    await expect(client.query(slow)).rejects.toThrow('Query read timeout')
    // As Kysely gives it back: without a word about the error.
    client.release()
    const startedMs = performance.now()
    await pool.query('SELECT 1')
    expect(performance.now() - startedMs).toBeLessThan(1_500)
    await pool.end()
  })

  it('keeps a connection that is free', async () => {
    const pool = servicePool(database.url, { max: 1 })
    const pid = async () => (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid
    expect(await pid()).toBe(await pid())
    await pool.end()
  })
})
