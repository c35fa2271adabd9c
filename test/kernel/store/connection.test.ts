import { afterAll, describe, expect, it } from 'vitest'
import { servicePool } from '#kernel/store/connection'
import { testDatabase } from '#test/support/database'

const database = await testDatabase()
afterAll(() => database.drop())

describe('a pool', () => {
  it('hands on no connection that is still busy with a query that somebody gave up', async () => {
    const pool = servicePool(database.url, { max: 1 })
    const client = await pool.connect()
    const slow = { text: 'SELECT pg_sleep(100)', query_timeout: 100 }
    await expect(client.query(slow)).rejects.toThrow('Query read timeout')
    // As Kysely releases it: without the error.
    client.release()
    const startedMs = performance.now()
    await pool.query('SELECT 1')
    expect(performance.now() - startedMs).toBeLessThan(20_000)
    await pool.end()
  })

  it('reads a time in UTC, to the millisecond that it is in', async () => {
    const pool = servicePool(database.url, { max: 1 })
    const times = {
      '2026-01-02 03:04:05+00': '2026-01-02T03:04:05.000Z',
      '2026-01-02 03:04:05.6+00': '2026-01-02T03:04:05.600Z',
      '2026-01-02 03:04:05.000999+00': '2026-01-02T03:04:05.000Z',
      '2026-01-02 03:04:05.123999+02': '2026-01-02T01:04:05.123Z',
      '0001-01-01 00:00:00+00': '0001-01-01T00:00:00.000Z',
      '9999-12-31 23:59:59.999999+00': '9999-12-31T23:59:59.999Z',
      '10000-01-01 00:00:00+00': '+010000-01-01T00:00:00.000Z',
      '0044-03-15 12:00:00.5+00 BC': '-000043-03-15T12:00:00.500Z',
    }
    const ask =
      'SELECT given::timestamptz AS time FROM unnest($1::text[]) WITH ORDINALITY AS asked (given, nth) ORDER BY nth'
    const { rows } = await pool.query<{ time: string }>(ask, [Object.keys(times)])
    expect(rows.map(({ time }) => time)).toEqual(Object.values(times))
    await pool.end()
  })

  it('is told by the server who has vanished, within a minute', async () => {
    const pool = servicePool(database.url, { max: 1 })
    const names = ['tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count']
    const ask = async (name: string) =>
      Number((await pool.query(`SELECT current_setting($1) AS value`, [name])).rows[0].value)
    const [idle, interval, count] = (await Promise.all(names.map(ask))) as [number, number, number]
    expect(idle).toBeGreaterThan(0)
    expect(idle + interval * count).toBeLessThan(60)
    await pool.end()
  })

  it('keeps no connection over which nothing can be written', async () => {
    const owner = await servicePool(database.url).connect()
    const { rows } = await owner.query('SELECT quote_ident(current_database()) AS name')
    const pool = servicePool(database.url, { max: 1 })
    // As Kysely does: it releases the connection without the error. The connection is free by then, because an
    // answer followed the error.
    const write = async () => {
      const client = await pool.connect()
      const written = client.query('CREATE TABLE public.written (n int)')
      await Promise.allSettled([written, client.query('SELECT 1')])
      client.release()
      return written
    }
    await owner.query(`ALTER DATABASE ${rows[0].name} SET default_transaction_read_only = on`)
    await expect(write()).rejects.toMatchObject({ code: '25006' })
    await owner.query(`ALTER DATABASE ${rows[0].name} RESET default_transaction_read_only`)
    await write()
    await pool.end()
    owner.release(true)
  })

  it('keeps a connection that is free', async () => {
    const pool = servicePool(database.url, { max: 1 })
    const pid = async () => (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid
    expect(await pid()).toBe(await pid())
    await pool.end()
  })
})
