import { expect, onTestFinished, test, vi } from 'vitest'
import { RequestCoalescer } from '#kernel/lib/request-coalescer'

const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))

test('a single call waits for no timer; those that come together or meanwhile share a batch, and each hears its own result', async () => {
  const batches: number[][] = []
  const doubled = async (items: readonly number[]) => {
    batches.push([...items])
    await turn()
    return items.map((item) => item * 2)
  }
  const batch = new RequestCoalescer(doubled, { concurrency: 1, max: 3 })
  const first = [1, 2].map((item) => batch.add(item))
  await endOfTurn()
  expect(batches).toEqual([[1, 2]])
  const others = [3, 4, 5, 6].map((item) => batch.add(item))
  expect(await Promise.all([...first, ...others])).toEqual([2, 4, 6, 8, 10, 12])
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]])
})

test('calls from different callbacks of one turn of the event loop share a batch', async () => {
  const batches: number[][] = []
  const noting = async (items: readonly number[]) => {
    batches.push([...items])
    return items
  }
  const batch = new RequestCoalescer(noting)
  const calls = [1, 2, 3].map(async (item) => {
    await endOfTurn()
    return batch.add(item)
  })
  expect(await Promise.all(calls)).toEqual([1, 2, 3])
  expect(batches).toEqual([[1, 2, 3]])
})

test('where it is asked to, the first call waits for those that come soon after it', async () => {
  const batches: number[][] = []
  const noting = async (items: readonly number[]) => {
    batches.push([...items])
    return items
  }
  const batch = new RequestCoalescer(noting, { gatherMs: 200 })
  const first = batch.add(1)
  await turn()
  expect(await Promise.all([first, batch.add(2)])).toEqual([1, 2])
  expect(await batch.add(3)).toBe(3)
  expect(batches).toEqual([[1, 2], [3]])
})

test('no more batches are under way than there are lanes', async () => {
  let underWay = 0
  let most = 0
  const counting = async (items: readonly number[]) => {
    most = Math.max(most, (underWay += 1))
    await turn()
    underWay -= 1
    return items
  }
  const batch = new RequestCoalescer(counting, { concurrency: 2, max: 1 })
  await Promise.all(Array.from({ length: 9 }, (_, nth) => batch.add(nth)))
  expect(most).toBe(2)
})

test('two of one key are never in one batch, and all are done in the end', async () => {
  const batches: string[][] = []
  const noting = async (items: readonly string[]) => {
    batches.push([...items])
    await turn()
    return items
  }
  const batch = new RequestCoalescer(noting, { concurrency: 1, keyOf: (item: string) => item })
  await Promise.all(['a', 'b', 'b', 'c', 'b', 'c'].map((item) => batch.add(item)))
  expect(batches.flat().toSorted()).toEqual(['a', 'b', 'b', 'b', 'c', 'c'])
  for (const each of batches) expect(new Set(each).size).toBe(each.length)
})

test('one key that waits a thousand times holds up no other', async () => {
  const batches: string[][] = []
  const noting = async (items: readonly string[]) => {
    batches.push([...items])
    await turn()
    return items
  }
  const batch = new RequestCoalescer(noting, { concurrency: 1, max: 20, keyOf: (item: string) => item })
  for (let nth = 0; nth < 1_000; nth += 1) batch.add('a').catch(() => {})
  await batch.add('b')
  expect(batches).toEqual([['a', 'b']])
})

test('what a batch throws, all of it throw, and the next one is done', async () => {
  let isBroken = true
  const breaking = async (items: readonly number[]) => {
    await turn()
    if (isBroken) throw new Error('broken')
    return items
  }
  const batch = new RequestCoalescer(breaking, { concurrency: 1 })
  const all = await Promise.allSettled([batch.add(1), batch.add(2).finally(() => (isBroken = false)), batch.add(3)])
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await batch.add(4)).toBe(4)
})

test('what has long waited for a batch that fails, fails with it; what has just come is tried', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let tries = 0
  let fail = () => {}
  const hanging = async (items: readonly number[]) => {
    tries += 1
    if (tries > 1) return items
    await new Promise<void>((resolve) => (fail = resolve))
    throw new Error('broken')
  }
  const batch = new RequestCoalescer(hanging, { concurrency: 1 })
  const first = batch.add(1)
  await turn()
  const patient = batch.add(2)
  vi.advanceTimersByTime(1_200)
  const late = batch.add(3)
  fail()
  const [one, two, three] = await Promise.allSettled([first, patient, late])
  expect([one.status, two.status]).toEqual(['rejected', 'rejected'])
  expect(three).toEqual({ status: 'fulfilled', value: 3 })
})
