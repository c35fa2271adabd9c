/**
 * What a reader of the global order can rely on: three probes for any store. ../probes.ts runs it as a
 * process, because emmett changes pg for the whole process.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { liveReader } from '../live-reader.ts'
import { quietPool } from './subject.ts'
import type { Opened, Subject } from './subject.ts'
import { subjectNamed } from './subjects.ts'

const WRITERS = 16
const KILL_EACH_MS = 500
const ACROSS = 5

export interface Finding {
  readonly probe: string
  readonly lost: number
  readonly doubled: number
  readonly said: string
}

async function commitsOutOfOrder(opened: Opened): Promise<Finding> {
  let after = 0
  const seen: string[] = []
  const readOn = async () => {
    const read = await opened.readAll(after, 1_000)
    seen.push(...read.map(({ id }) => id))
    after = read.at(-1)?.position ?? after
  }
  await opened.outOfOrder(readOn)
  await readOn()
  return finding('out-of-order commits', seen, seen.length, await opened.stored(), '')
}

/** Committed events that cannot be read while the transaction lasts, which can be hours. */
async function oldTransaction(opened: Opened, elsewhere: string): Promise<Finding> {
  const pool = quietPool(elsewhere, 1)
  const other = await pool.connect()
  await other.query('BEGIN')
  await other.query('SELECT pg_current_xact_id()')
  const all = async () => (await opened.readAll(0, 100_000)).length
  const before = await all()
  for (let n = 0; n < ACROSS; n += 1) await opened.append()
  const during = (await all()) - before
  await other.query('ROLLBACK')
  other.release()
  await pool.end()
  const said = `${during} of ${ACROSS} visible while a transaction of another database is open, ${(await all()) - before} after`
  return { probe: 'old transaction in another database', lost: ACROSS - during, doubled: 0, said }
}

async function liveUnderKills(opened: Opened, url: string, seconds: number): Promise<Finding> {
  const pool = quietPool(url, 1)
  let [stopping, acknowledged, kills] = [false, 0, 0]
  const write = async () => {
    while (!stopping)
      await opened.append().then(
        () => (acknowledged += 1),
        () => pause(5),
      )
  }
  const kill = async () => {
    for (; !stopping; await pause(KILL_EACH_MS)) kills += (await pool.query(KILL_ONE)).rowCount ?? 0
  }
  const reader = liveReader(opened)
  const working = [kill(), ...Array.from({ length: WRITERS }, write)]
  await pause(seconds * 1_000)
  stopping = true
  await Promise.all(working)
  await pool.end()
  const read = await reader.finish()
  const said = `${WRITERS} writers for ${seconds} s, ${acknowledged} acknowledged, ${kills} backends killed`
  const found = finding('live reader under load', [...read.ids], read.delivered, await opened.stored(), said)
  return { ...found, lost: Math.max(found.lost, acknowledged - read.ids.size) }
}

const KILL_ONE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' ORDER BY random() LIMIT 1`

function finding(
  probe: string,
  ids: readonly string[],
  delivered: number,
  stored: readonly string[],
  said: string,
): Finding {
  const seen = new Set(ids)
  const lost = stored.filter((id) => !seen.has(id)).length
  const counts = `stored ${stored.length}, delivered ${seen.size}`
  return { probe, lost, doubled: delivered - seen.size, said: said ? `${said}, ${counts}` : counts }
}

async function probed(subject: Subject, url: string, elsewhere: string, seconds: number): Promise<Finding[]> {
  await subject.setup(url)
  const opened = await subject.open(url, WRITERS)
  const findings = [
    await commitsOutOfOrder(opened),
    await oldTransaction(opened, elsewhere),
    await liveUnderKills(opened, url, seconds),
  ]
  await opened.close().catch(() => {})
  return findings
}

const [name = '', url = '', elsewhere = '', seconds = ''] = process.argv.slice(2)
process.on('uncaughtException', (error) => {
  // Some peers do not handle the errors of killed connections.
  if (!/terminat|ECONNRESET|closed|queryable/i.test(String(error))) throw error
})
process.send?.(await probed(subjectNamed(name), url, elsewhere, Number(seconds)))
process.disconnect?.()
process.exit()
