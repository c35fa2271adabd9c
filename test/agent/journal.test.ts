/** The journal: what it has noted is there after any kill, and a torn last line is not. */
import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { failed, openJournal } from '../../src/agent/journal.ts'
import { scratchDirectory } from '../support/scratch.ts'

const id = '01890000-0000-7000-8000-000000000001'
const other = '01890000-0000-7000-8000-000000000002'
const DAY_MS = 86_400_000
let nowMs = Date.parse('2026-01-31T12:00:00.000Z')
const now = () => new Date(nowMs)
const about = { id, attempt: 1 }
const FILE = '2026-01-31.ndjson'

test('steps are known after a restart, and unfinished until the panel has the end', async () => {
  const directory = scratchDirectory()
  const first = await openJournal(directory, now)
  await first.note({ is: 'received', ...about, kind: 'test.echo' })
  await first.note({ is: 'started', ...about })
  await first.note({ is: 'made', ...about, name: 'container', ref: 'abc' })
  await first.close()
  const second = await openJournal(directory, now)
  const begun = { ...about, kind: 'test.echo', isStarted: true, made: new Map([['container', 'abc']]), isTold: false }
  expect(second.unfinished()).toEqual([{ ...begun, end: undefined, lastSeq: 0 }])
  await second.note({ is: 'ended', ...about, end: { outcome: 'SUCCEEDED', result: { text: 'x' } }, lastSeq: 7 })
  expect(second.unfinished()).toMatchObject([{ end: { result: { text: 'x' } }, lastSeq: 7 }])
  await second.note({ is: 'told', ...about })
  await second.close()
  const third = await openJournal(directory, now)
  expect([third.unfinished(), third.find(id)]).toEqual([[], undefined])
  expect(await third.recall(id)).toMatchObject({ isTold: true, lastSeq: 7, end: { outcome: 'SUCCEEDED' } })
  expect(await third.recall(other)).toBeUndefined()
  await third.close()
})

test('another attempt keeps what was made and said, and entries of the old one change nothing', async () => {
  const journal = await openJournal(scratchDirectory(), now)
  await journal.note({ is: 'received', ...about, kind: 'test.echo' })
  await journal.note({ is: 'made', ...about, name: 'container', ref: 'abc' })
  await journal.note({ is: 'ended', ...about, end: failed('TRY_AGAIN', 'x'.repeat(600)), lastSeq: 3 })
  await journal.note({ is: 'received', id, attempt: 2, kind: 'test.echo' })
  await journal.note({ is: 'told', ...about })
  expect(journal.find(id)).toMatchObject({ attempt: 2, lastSeq: 3, isTold: false, isStarted: false, end: undefined })
  expect(journal.find(id)!.made.get('container')).toBe('abc')
  await journal.close()
})

test('a torn last line is cut off at every byte, and what is noted next is whole', async () => {
  const whole = scratchDirectory()
  const journal = await openJournal(whole, now)
  await journal.note({ is: 'received', ...about, kind: 'test.echo' })
  await journal.note({ is: 'started', ...about })
  await journal.close()
  const bytes = await readFile(join(whole, FILE))
  const firstEnd = bytes.indexOf('\n') + 1
  for (let length = firstEnd; length < bytes.length; length += 1) {
    const directory = scratchDirectory()
    await writeFile(join(directory, FILE), bytes.subarray(0, length))
    const torn = await openJournal(directory, now)
    expect(torn.find(id)).toMatchObject({ isStarted: false })
    await torn.note({ is: 'received', id: other, attempt: 1, kind: 'test.echo' })
    await torn.close()
    const again = await openJournal(directory, now)
    expect([again.find(id)?.isStarted, again.find(other)?.kind]).toEqual([false, 'test.echo'])
    await again.close()
  }
})

test('a damaged line stops nothing: what it names has begun, and the whole line behind half of one counts', async () => {
  const directory = scratchDirectory()
  const third = '01890000-0000-7000-8000-000000000003'
  const warned: string[] = []
  await writeFile(
    join(directory, FILE),
    [
      `{"is":"received","id":"${id}","attempt":1,"kind":"test.echo"}`,
      `{"is":"received","id":"${other}","attempt":1,"kind":"test.append"}`,
      `{"is":"ended","id":"${id}","attempt":1,"end":{"outc{"is":"started","id":"${other}","attempt":1}`,
      `{"is":"received","id":"${third}","attempt":2,"ki\0\0\0`,
      'null',
      '',
    ].join('\n'),
  )
  const journal = await openJournal(directory, now, (message) => void warned.push(message))
  expect(journal.unfinished()).toMatchObject([
    { id, kind: 'test.echo', isStarted: true, end: undefined },
    { id: other, kind: 'test.append', isStarted: true },
    { id: third, attempt: 2, kind: '', isStarted: true },
  ])
  expect(warned.map((message) => /^Line (\d)/.exec(message)?.[1])).toEqual(['3', '4'])
  await journal.note({ is: 'told', ...about })
  await journal.close()
  const again = await openJournal(directory, now)
  expect(await again.recall(id)).toMatchObject({
    isTold: true,
    end: { outcome: 'FAILED', error: { code: 'INTERRUPTED' } },
  })
  await again.close()
})

/** Notes until the disk takes no more, and once again when it does; then it says how many it has noted. */
const NOTE_UNTIL_FULL = `
const { execFileSync } = await import('node:child_process')
const { openJournal } = await import(${JSON.stringify(new URL('../../src/agent/journal.ts', import.meta.url).href)})
const journal = await openJournal(process.argv[1], () => new Date('2026-01-31T12:00:00.000Z'))
const note = (nth) => journal.note({ is: 'received', id: '${id.slice(0, -4)}' + String(nth).padStart(4, '0'), attempt: 1, kind: 'test.echo' })
let nth = 0
const error = await (async () => { for (;;) { await note(nth); nth += 1 } })().catch((thrown) => thrown)
execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited'])
await note(nth)
console.log(error.code, nth + 1)
`

test('what a full disk does not take is not there, and what is noted later is whole', async () => {
  const directory = scratchDirectory()
  const limited = 'ulimit -S -f 1 && exec "$@"'
  const node = [process.execPath, '--input-type=module', '-e', NOTE_UNTIL_FULL, directory]
  const { stdout } = await promisify(execFile)('bash', ['-c', limited, 'bash', ...node])
  const [code, noted] = stdout.trim().split(' ')
  expect([code, Number(noted)]).toEqual(['EFBIG', expect.any(Number)])
  const warned: string[] = []
  const journal = await openJournal(directory, now, (message) => void warned.push(message))
  expect(journal.unfinished().length).toBe(Number(noted))
  expect(warned).toEqual([])
  await journal.close()
})

test('many notes at once share their writes, and all are there', async () => {
  const directory = scratchDirectory()
  const journal = await openJournal(directory, now)
  await journal.note({ is: 'received', ...about, kind: 'test.echo' })
  const refs = Array.from({ length: 200 }, (_none, nth) => String(nth))
  await Promise.all(refs.map((ref) => journal.note({ is: 'made', ...about, name: ref, ref })))
  await journal.close()
  const again = await openJournal(directory, now)
  expect([...again.find(id)!.made.keys()]).toEqual(refs)
  await again.close()
})

test('what the panel has is on the disk alone, over all its days, and another attempt goes on from it', async () => {
  const startMs = nowMs
  const journal = await openJournal(scratchDirectory(), now)
  await journal.note({ is: 'received', ...about, kind: 'test.echo' })
  nowMs += DAY_MS
  await journal.note({ is: 'made', ...about, name: 'container', ref: 'abc' })
  nowMs += DAY_MS
  await journal.note({ is: 'ended', ...about, end: failed('TRY_AGAIN', 'x'), lastSeq: 3 })
  await journal.note({ is: 'told', ...about })
  expect(journal.find(id)).toBeUndefined()
  expect(await journal.recall(id)).toMatchObject({ isTold: true, lastSeq: 3, end: { outcome: 'FAILED' } })
  await journal.note({ is: 'received', id, attempt: 2, kind: 'test.echo' })
  expect(journal.find(id)).toMatchObject({
    attempt: 2,
    lastSeq: 3,
    made: new Map([['container', 'abc']]),
    isTold: false,
  })
  nowMs += 31 * DAY_MS
  await journal.note({ is: 'received', id: other, attempt: 1, kind: 'test.echo' })
  expect(journal.unfinished().map(({ id: each }) => each)).toEqual([id, other])
  await journal.close()
  nowMs = startMs
})

test('each day has a file, and after 30 days it is removed', async () => {
  const directory = scratchDirectory()
  const startMs = nowMs
  const journal = await openJournal(directory, now)
  await journal.note({ is: 'received', ...about, kind: 'test.echo' })
  nowMs += 20 * DAY_MS
  await journal.note({ is: 'received', id: other, attempt: 1, kind: 'test.echo' })
  await journal.close()
  expect(await readdir(directory)).toEqual([FILE, '2026-02-20.ndjson'])
  nowMs += 11 * DAY_MS
  const later = await openJournal(directory, now)
  expect([await later.recall(id), later.find(other)?.kind]).toEqual([undefined, 'test.echo'])
  expect(await readdir(directory)).toEqual(['2026-02-20.ndjson'])
  await later.close()
  nowMs = startMs
})

test('a line is never in an older file than those before it', async () => {
  const directory = scratchDirectory()
  const startMs = nowMs
  nowMs += DAY_MS
  const journal = await openJournal(directory, now)
  await journal.note({ is: 'received', ...about, kind: 'test.echo' })
  await journal.close()
  nowMs = startMs
  const behind = await openJournal(directory, now)
  await behind.note({ is: 'started', ...about })
  await behind.close()
  expect(await readdir(directory)).toEqual(['2026-02-01.ndjson'])
  const again = await openJournal(directory, now)
  expect(again.find(id)).toMatchObject({ isStarted: true })
  await again.close()
})

test('the days of a task stay while it was issued, or has changed, within 30 days', async () => {
  const directory = scratchDirectory()
  const startMs = nowMs
  const third = '01890000-0000-7000-8000-000000000003'
  const journal = await openJournal(directory, now)
  const issuedAt = new Date(nowMs + 60 * DAY_MS).toISOString()
  await journal.note({ is: 'received', ...about, kind: 'test.echo', issuedAt })
  await journal.note({ is: 'told', ...about })
  nowMs += DAY_MS
  await journal.note({ is: 'received', id: other, attempt: 1, kind: 'test.echo' })
  for (const day of [20, 20, 25]) {
    nowMs += day * DAY_MS
    await journal.note({ is: 'told', id: other, attempt: 1 })
  }
  await journal.note({ is: 'received', id: third, attempt: 1, kind: 'test.echo' })
  expect([(await journal.recall(id))?.isTold, (await journal.recall(other))?.isTold]).toEqual([true, true])
  await journal.close()
  nowMs += 31 * DAY_MS
  const later = await openJournal(directory, now)
  expect([await later.recall(id), await later.recall(other)]).toEqual([undefined, undefined])
  expect(await readdir(directory)).toEqual([])
  await later.close()
  nowMs = startMs
})
