import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accountShare, addressShare, FairQueue } from '#kernel/credentials/fair-queue'
import type { QueueShare } from '#kernel/credentials/fair-queue'

/** The outcome of each caller: the number of its turn, or that it gave way. */
type Outcome = number | 'gave way' | 'waits'

function queueing(limits: { atOnceMax: number; waitingMax: number }) {
  const queue = new FairQueue(limits)
  const outcomes = new Map<string, Outcome>()
  let turns = 0
  const come = (name: string, place: QueueShare) => {
    outcomes.set(name, 'waits')
    void queue.enter(place).then((entered) => outcomes.set(name, entered ? (turns += 1) : 'gave way'))
  }
  const heard = () => new Promise((resolve) => setImmediate(resolve))
  const leaveAll = async () => {
    for (await heard(); [...outcomes.values()].includes('waits'); await heard()) queue.leave()
  }
  return { queue, outcomes, come, heard, leaveAll }
}

const six = (network: string): QueueShare => addressShare(`2001:db8:${network}::1`)
const times = (count: number, does: (n: number) => void) => Array.from({ length: count }, (_, n) => does(n))

describe('a full queue', () => {
  test('takes what comes from elsewhere in place of the newest of the largest block, a /48 counted as one', async () => {
    const { outcomes, come, heard } = queueing({ atOnceMax: 1, waitingMax: 12 })
    times(13, (n) => come(`flood ${n}`, six(`1:${n.toString(16)}`)))
    come('honest', six('2:1'))
    await heard()
    expect(outcomes.get('honest')).toBe('waits')
    expect(outcomes.get('flood 12')).toBe('gave way')
    expect([...outcomes.values()].filter((each) => each === 'gave way')).toHaveLength(1)
  })

  test('takes a quiet /64 in place of a loud one within the same /48, and a quiet /56 likewise', async () => {
    const { outcomes, come, heard } = queueing({ atOnceMax: 1, waitingMax: 6 })
    times(7, (n) => come(`loud ${n}`, six('1:1')))
    come('other /64', six('1:2'))
    come('other /56', six('1:100'))
    await heard()
    expect([outcomes.get('other /64'), outcomes.get('other /56')]).toEqual(['waits', 'waits'])
    expect([outcomes.get('loud 6'), outcomes.get('loud 5')]).toEqual(['gave way', 'gave way'])
  })

  test('keeps a proved account where every share is as large: a stranger gives way, and who comes where all are strangers', async () => {
    const { outcomes, come, heard } = queueing({ atOnceMax: 1, waitingMax: 4 })
    times(5, (n) => come(`stranger ${n}`, addressShare(`192.0.${n}.1`)))
    come('known', accountShare('a'))
    come('late', addressShare('192.0.99.1'))
    await heard()
    expect(outcomes.get('known')).toBe('waits')
    expect(outcomes.get('stranger 4')).toBe('gave way')
    expect(outcomes.get('late')).toBe('gave way')
  })

  test('gives an account one share, however many devices it has signed in with', async () => {
    const { outcomes, come, heard } = queueing({ atOnceMax: 1, waitingMax: 4 })
    times(6, (n) => come(`greedy ${n}`, accountShare('a')))
    come('stranger', six('9:9'))
    await heard()
    expect(outcomes.get('greedy 5')).toBe('gave way')
    expect(outcomes.get('stranger')).toBe('waits')
  })
})

test('the shares take turns, those of wide blocks first and those within them then', async () => {
  const { outcomes, come, leaveAll } = queueing({ atOnceMax: 1, waitingMax: 20 })
  come('running', six('f:f'))
  times(4, (n) => come(`a ${n}`, six('1:1')))
  come('a neighbour', six('1:2'))
  come('b', six('2:1'))
  come('c', accountShare('c'))
  await leaveAll()
  const order = [...outcomes].toSorted(([, one], [, other]) => Number(one) - Number(other)).map(([name]) => name)
  expect(order).toEqual(['running', 'a 0', 'b', 'c', 'a neighbour', 'a 1', 'a 2', 'a 3'])
})

test('whatever comes: as many run and wait as may, nobody waits for nothing, and who gives way is of the largest block', async () => {
  const places = [six('1:1'), six('1:2'), six('1:100'), six('2:1'), addressShare('192.0.2.1'), accountShare('a')]
  const moves = fc.array(fc.oneof(fc.nat(places.length - 1), fc.constant('leave' as const)), { maxLength: 80 })
  const [atOnceMax, waitingMax] = [2, 6]
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const { queue, outcomes, come, heard, leaveAll } = queueing({ atOnceMax, waitingMax })
      const widest = (name: string) => places[Number(name.split('/')[0])]!.path[0]!
      const named = (outcome: Outcome) => [...outcomes].flatMap(([name, each]) => (each === outcome ? [name] : []))
      let left = 0
      for (const [nth, move] of all.entries()) {
        const before = named('gave way')
        const running = [...outcomes.values()].filter((each) => typeof each === 'number').length - left
        if (move !== 'leave') come(`${move}/${nth}`, places[move]!)
        else if (running > 0) left += 1
        if (move === 'leave' && running > 0) queue.leave()
        await heard()
        const [waiting, runningNow] = [
          named('waits'),
          [...outcomes.values()].filter((each) => typeof each === 'number').length - left,
        ]
        expect(runningNow).toBeLessThanOrEqual(atOnceMax)
        expect(waiting.length).toBeLessThanOrEqual(waitingMax)
        if (waiting.length > 0) expect(runningNow).toBe(atOnceMax)
        const sizes = Object.groupBy(waiting, widest)
        for (const name of named('gave way').filter((each) => !before.includes(each)))
          for (const others of Object.values(sizes))
            expect((sizes[widest(name)]?.length ?? 0) + 1).toBeGreaterThanOrEqual(others!.length)
      }
      await leaveAll()
      expect(named('waits')).toEqual([])
    }),
    { numRuns: 200 },
  )
})
