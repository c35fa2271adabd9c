import type { Break } from './breaks.ts'

const AT = 'src/kernel/store/eventstoredb'
const contract = 'test/kernel/eventstoredb-store.test.ts'

/** Events kept in KurrentDB. */
export const eventStoreDbBreaks: readonly Break[] = [
  {
    promise: 'an event is asked for where it is: there is no reading from between two',
    file: 'src/kernel/store/eventstoredb.ts',
    find: 'this.#log.eventAt(position))',
    replace: 'this.#log.readAll(position - 1, 1)).then(([found]) => found)',
    test: 'test/kernel/eventstoredb-store.test.ts',
    named: 'each event is found where it is said to be',
  },
  {
    promise: 'KurrentDB: a claim is checked in the request that takes it',
    file: `${AT}/request.ts`,
    find: '      ...claims.map(({ stream, revision }) => check(stream, revision)),\n',
    replace: '',
    test: contract,
    named: 'of processes that ask for one claim at once',
  },
  {
    promise: 'KurrentDB: what touches the same is appended in the order in which it was asked for',
    file: `${AT}/order-of-asking.ts`,
    find: 'names.flatMap((name) => this.#last.get(name) ?? [])',
    replace: '[] as Promise<Outage>[]',
    test: contract,
    named: 'in the order in which they were asked for',
  },
  {
    promise: 'KurrentDB: what has nothing in common does not wait',
    file: `${AT}/order-of-asking.ts`,
    find: 'const names = namesOf(append)',
    replace: "const names = [...namesOf(append), 'all']",
    test: contract,
    named: 'does not wait for each other',
  },
  {
    promise: 'KurrentDB: an event id is used once',
    file: `${AT}/request.ts`,
    find: '      ...ids.map((stream) => check(stream, undefined)),\n',
    replace: '',
    test: contract,
    named: 'twenty times at once is once',
  },
  {
    promise: 'KurrentDB: expected revisions are checked',
    file: `${AT}/request.ts`,
    find: "(expected === 'any' ? [] : [check(stream, lastOf(expected))])",
    replace: "(expected === 'any' || expected > 0 ? [] : [])",
    test: contract,
    named: 'of ten rivals for one revision exactly one wins',
  },
  {
    promise: 'KurrentDB: a claim is released by its holder only',
    file: `${AT}/claims.ts`,
    find: '    if (holders.get(stream) !== claim.holder) continue\n',
    replace: '',
    test: contract,
    named: 'are released by their holder only',
  },
  {
    promise: 'KurrentDB: a page does not begin with the last event of the one before',
    file: `${AT}/log.ts`,
    find: 'events.filter(({ position }) => position > after)',
    replace: 'events',
    test: contract,
    named: 'everything resumes after any position',
  },
  {
    promise: 'KurrentDB: claims, ids and system streams are no events',
    file: `${AT}/names.ts`,
    find: String.raw`^(?!\$|daybook\.)`,
    replace: String.raw`^(?!\$)`,
    test: contract,
    named: 'neither claims nor ids',
  },
  {
    promise: 'KurrentDB: a server that could write half of an append is refused',
    file: `${AT}/atomic.ts`,
    find: 'if (error instanceof UnsupportedError)',
    replace: 'if (error instanceof UnsupportedError && error.feature === "")',
    test: contract,
    named: 'is refused at the start, with the reason',
  },
  {
    promise: 'KurrentDB: an outage ends when the server is back',
    file: `${AT}/connection.ts`,
    find: '    this.#renew(client)\n',
    replace: '',
    test: contract,
    named: 'when it is back, so is the store',
  },
  {
    promise: 'a database serves one history',
    file: 'src/kernel/store/one-history.ts',
    find: 'if (elsewhere && own)',
    replace: 'if (elsewhere && own && !own)',
    test: 'test/licensing/eventstoredb.test.ts',
    named: 'a database with events of its own is refused',
  },
]
