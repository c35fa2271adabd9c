/** The spool of log lines: numbers without gaps over kills, limits that say what is missing. */
import { appendFile, open, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openSpools } from '../../src/agent/spool.ts'
import { taskLog } from '../../src/agent/task-log.ts'
import { LINE_BYTES_MAX, ProgressBody } from '../../src/tasks/protocol.ts'
import { scratchDirectory } from '../support/scratch.ts'

const id = '01890000-0000-7000-8000-000000000001'
const now = () => new Date('2026-01-01T00:00:00.000Z')
const out = (text: string) => ({ of: 'OUT' as const, text })

test('numbers go on after a restart, after a torn line, and after an earlier attempt', async () => {
  const directory = scratchDirectory()
  const first = await (await openSpools(directory, now)).open(id, 0)
  await first.say([out('one'), out('two')])
  await first.close()
  await appendFile(join(directory, `${id}.ndjson`), '{"seq":3,"at":"2026-0')
  const second = await (await openSpools(directory, now)).open(id, 0)
  expect(second.lastSeq).toBe(2)
  await second.say([out('three')])
  expect(await second.from(1)).toEqual(
    ['one', 'two', 'three'].map((text, nth) => ({ seq: nth + 1, at: now().toISOString(), of: 'OUT', text })),
  )
  expect(await second.from(3)).toMatchObject([{ seq: 3 }])
  expect(await second.from(4)).toEqual([])
  await second.remove()
  expect(await readdir(directory)).toEqual([])
  const third = await (await openSpools(directory, now)).open(id, 3)
  await third.say([out('four')])
  expect(await third.from(1)).toMatchObject([{ seq: 4, text: 'four' }])
  await third.close()
})

test('lines that the disk has damaged are replaced, so that numbers have no gap', async () => {
  const directory = scratchDirectory()
  const line = (seq: number) => JSON.stringify({ seq, at: now().toISOString(), ...out(`line ${seq}`) })
  const texts = [
    line(4),
    '{"seq":5,"a\0\0',
    line(6),
    `${line(7)}${line(8)}`,
    line(9),
    line(10).slice(0, 9) + line(10),
    '',
  ]
  await writeFile(join(directory, `${id}.ndjson`), texts.join('\n'))
  const spool = await (await openSpools(directory, now)).open(id, 3)
  await spool.say([out('line 11')])
  const said = await spool.from(4)
  const lost = 'The disk of the server has damaged this line'
  expect(said.map(({ seq, text }) => [seq, text])).toEqual(
    ['line 4', lost, 'line 6', lost, lost, 'line 9', lost, 'line 11'].map((text, nth) => [nth + 4, text]),
  )
  await spool.close()
})

test('a disk that takes no lines stops no task, and they are counted when it takes more', async () => {
  const directory = scratchDirectory()
  const spool = await (await openSpools(directory, now)).open(id, 0)
  await spool.say([out('one')])
  const handles = await open(join(directory, 'other'), 'w')
  const write = vi.spyOn(Object.getPrototypeOf(handles) as typeof handles, 'appendFile')
  write.mockImplementationOnce(async function fail(this: typeof handles) {
    await this.write('{"seq":2,"at')
    throw Object.assign(new Error('No space left on device'), { code: 'ENOSPC' })
  })
  await spool.say([out('two'), out('three')])
  await spool.say([out('four')])
  await spool.end()
  const texts = ['one', 'four', '2 lines are missing here: the log was full']
  expect((await spool.from(1)).map(({ text }) => text)).toEqual(texts)
  await spool.close()
  await handles.close()
  const again = await (await openSpools(directory, now)).open(id, 0)
  expect((await again.from(1)).map(({ text }) => text)).toEqual(texts)
  await again.close()
})

test('lines that are said at once are in order, and a request takes as many as fit', async () => {
  const spool = await (await openSpools(scratchDirectory(), now)).open(id, 0)
  await Promise.all(Array.from({ length: 1_200 }, (_none, nth) => spool.say([out(`line ${nth + 1}`)])))
  let seen = 0
  for (let piece = await spool.from(1); piece.length > 0; piece = await spool.from(seen + 1)) {
    expect(piece.length).toBeLessThanOrEqual(500)
    for (const { seq, text } of piece) expect([seq, text]).toEqual([(seen += 1), `line ${seen}`])
  }
  expect(seen).toBe(1_200)
  await spool.close()
})

test('a long line becomes several, at the ends of characters, and no request is too large', async () => {
  const spool = await (await openSpools(scratchDirectory(), now)).open(id, 0)
  const text = `${'€😀'.repeat(5_000)}\0${'\u0001'.repeat(40_000)}`
  await spool.say([out(text), out('')])
  const all = []
  for (let next = 1; next <= spool.lastSeq;) {
    const lines = await spool.from(next)
    expect(JSON.stringify(lines).length).toBeLessThan(100 * 1_024 - 200)
    expect(ProgressBody.safeParse({ attempt: 1, lines }).success).toBe(true)
    all.push(...lines)
    next += lines.length
  }
  expect(all.map((line) => line.text).join('')).toBe(text.replace('\0', '\uFFFD'))
  for (const line of all) expect(Buffer.byteLength(line.text)).toBeLessThanOrEqual(LINE_BYTES_MAX)
  await spool.close()
})

test('a full spool says how many lines it has not taken, and all spools have one limit', async () => {
  const spools = await openSpools(scratchDirectory(), now, { taskBytesMax: 300, allBytesMax: 700 })
  const spool = await spools.open(id, 0)
  for (let nth = 0; nth < 20; nth += 1) await spool.say([out(`line ${nth}`)])
  await spool.end()
  await spool.end()
  const lines = await spool.from(1)
  const [last, ...rest] = lines.toReversed()
  expect(last).toMatchObject({ of: 'STEP', text: `${20 - rest.length} lines are missing here: the log was full` })
  expect(rest.length).toBeGreaterThan(1)
  const others = await Promise.all(['2', '3', '4'].map((end) => spools.open(id.slice(0, -1) + end, 0)))
  for (const other of others) for (let nth = 0; nth < 5; nth += 1) await other.say([out('line')])
  expect(others.at(-1)!.lastSeq).toBe(0)
  await Promise.all(others.map((other) => other.remove()))
  const again = await spools.open(id.slice(0, -1) + '5', 0)
  await again.say([out('line')])
  expect(again.lastSeq).toBe(1)
})

test('what a killed process has not removed is removed, unless it is wanted', async () => {
  const directory = scratchDirectory()
  const spools = await openSpools(directory, now)
  for (const end of ['1', '2']) await (await spools.open(id.slice(0, -1) + end, 0)).close()
  await spools.removeAllBut((each) => each === id)
  expect(await readdir(directory)).toEqual([`${id}.ndjson`])
})

test('a log holds no secret, however the output is cut, and ends with the last line', async () => {
  const spool = await (await openSpools(scratchDirectory(), now)).open(id, 0)
  let said = 0
  const log = taskLog(spool, ['hunter22', 'line\nbreak'], () => void (said += 1))
  for (const piece of ['pass', 'word hun', 'ter22\nnext', ' line\nbr', 'eak.\nend hunter2'])
    await log.write('OUT', piece)
  await log.write('ERR', 'no end')
  await log.say('step hunter22\nand more')
  await log.end()
  expect((await spool.from(1)).map(({ of, text }) => `${of} ${text}`)).toEqual([
    'OUT password ***',
    'OUT next ***.',
    'STEP step ***',
    'STEP and more',
    'OUT end hunter2',
    'ERR no end',
  ])
  expect(log.plain('failed with hunter22')).toBe('failed with ***')
  expect(said).toBeGreaterThan(3)
  await spool.close()
})
