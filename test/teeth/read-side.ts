import type { Break } from './breaks.ts'

const PROJECTOR = 'src/kernel/projector.ts'
const FOLLOWER = 'src/kernel/follower.ts'
const APPLYING = 'src/kernel/applying.ts'
const REBUILD = 'src/kernel/rebuild.ts'

const projector = 'test/kernel/projector.test.ts'
const rebuild = 'test/kernel/rebuild.test.ts'

/** Read models: who fills them, what waits for them, what cannot be applied, what is filled again. */
export const readSideBreaks: readonly Break[] = [
  {
    promise: 'rival projectors apply every event once: the checkpoint moves by compare-and-set',
    file: 'src/kernel/checkpoints.ts',
    find: "    .where('position', '=', from)\n",
    replace: '',
    test: rebuild,
    named: 'is not applied again',
  },
  {
    promise: 'who loses a race for one read model takes nothing from another',
    file: FOLLOWER,
    find: 'return await database.transaction().execute((transaction) => work({ transaction }))',
    replace:
      'return await database.transaction().execute((transaction) =>\n      work({ transaction }).catch((error) => {\n        if (error instanceof RivalFaster) return undefined as never\n        throw error\n      }),\n    )',
    test: rebuild,
    named: 'takes nothing from another',
  },
  {
    promise: 'a checkpoint moves in one transaction with the rows',
    file: FOLLOWER,
    find: 'const left = await apply(place,',
    replace: 'const left = await apply({ transaction: database as never },',
    test: rebuild,
    named: 'what came before and after the event',
  },
  {
    promise: 'a read model that cannot go on holds up nobody',
    file: FOLLOWER,
    find: 'if (isConnectionLost(error)) throw error\n      if (others',
    replace: 'if (others.length > 0 || isConnectionLost(error)) throw error\n      if (others',
    test: projector,
    named: 'stands alone and says why',
  },
  {
    promise: 'a table that is not as declared parks no stream',
    file: APPLYING,
    find: 'const NOT_THE_EVENT = /^4[02]/',
    replace: 'const NOT_THE_EVENT = /^40/',
    test: projector,
    named: 'stands alone and says why',
  },
  {
    promise: 'no event that cannot be applied is skipped',
    file: APPLYING,
    find: 'else model.apply(table, (event ??= project(recorded)))',
    replace: 'else\n        try {\n          model.apply(table, (event ??= project(recorded)))\n        } catch {}',
    test: projector,
    named: 'parks its stream, in order',
  },
  {
    promise: 'what comes behind a parked event in its stream waits with it',
    file: APPLYING,
    find: 'if (parked.has(stream))',
    replace: 'if (parked.has(stream) && parked.size > 9)',
    test: projector,
    named: 'parks its stream, in order',
  },
  {
    promise: 'what is parked is not answered as in effect',
    file: PROJECTOR,
    find: 'return suspects.length === 0 ||',
    replace: 'return suspects.length >= 0 ||',
    test: projector,
    named: 'is never answered as in effect',
  },
  {
    promise: 'two that read the log at once each read all of it',
    file: 'src/kernel/stretches.ts',
    find: '    this.#reader = undefined\n    if (known)',
    replace: '    if (known)',
    test: 'test/kernel/stretches.test.ts',
  },
  {
    promise: 'a checkpoint that arrives late does not hide what is parked',
    file: 'src/kernel/progress.ts',
    find: 'if (position < (this.#passed.get(name) ?? 0)) return\n',
    replace: '',
    test: 'test/kernel/progress.test.ts',
  },
  {
    promise: 'what was parked is applied again in its order',
    file: 'src/kernel/parked.ts',
    find: "    .orderBy('position')\n    .limit(limit)",
    replace: "    .orderBy('position', 'desc')\n    .limit(limit)",
    test: projector,
    named: 'in their order, when it is asked for',
  },
  {
    promise: 'strict answers wait for the read models that the gate asks, and for no other',
    file: PROJECTOR,
    find: "(whom === 'all' || model.isForGate)",
    replace: "(whom !== 'gate' || !model.isForGate)",
    test: projector,
    named: 'does not hold up what takes something away',
  },
  {
    promise: 'the gate asks the table of machine tokens',
    file: 'projections/licensing/machine-tokens.ts',
    find: '\n  .forGate()',
    replace: '',
    test: 'test/licensing/machine-tokens.test.ts',
    named: 'while the read model stands still',
  },
  {
    promise: 'readers see the old rows while a read model is rebuilt',
    file: REBUILD,
    find: '  let reached = await replay(0)',
    replace: '  await transaction.schema.dropTable(`read.${model.name}`).execute()\n  let reached = await replay(0)',
    test: rebuild,
    named: 'does not keep readers out',
  },
  {
    promise: 'what is appended while a read model is rebuilt is not lost',
    file: REBUILD,
    find: 'const { position } = await replay(reached.position)',
    replace: 'const position = await store.head()',
    test: rebuild,
    named: 'what comes meanwhile is not lost',
  },
  {
    promise: 'a raised version rebuilds the table',
    file: PROJECTOR,
    find: 'version >= model.version)',
    replace: 'version >= 1)',
    test: projector,
    named: 'a raised version rebuilds',
  },
  {
    promise: 'read models rebuilt from events equal the live ones: none asks the clock of the wall',
    file: 'projections/licensing/plans.ts',
    find: 'version: 1, createdAt: at }',
    replace: 'version: 1, createdAt: new Date().toISOString() }',
    test: 'test/licensing/plans.test.ts',
    named: 'pages and cursors walk',
  },
  {
    promise: 'one process works while the others look on',
    file: 'src/kernel/loop.ts',
    find: '(await lease.isOurs()) ?',
    replace: '(await lease.isOurs()) || follower ?',
    test: projector,
    named: 'lets one process work',
  },
  {
    promise: 'a holder of the lease that stands still holds up nobody',
    file: FOLLOWER,
    find: ' || performance.now() - last.at > patienceMs',
    replace: '',
    test: projector,
    named: 'holds up nobody while its holder stands still',
  },
  {
    promise: 'a holder of the lease that stands still is waited for once',
    file: FOLLOWER,
    find: 'sum === this.#leftAt || ',
    replace: '',
    test: projector,
    named: 'holds up nobody for long',
  },
  {
    promise: 'every value of a change reaches its row, though many rows change at once',
    file: 'src/kernel/writes.ts',
    find: 'if (meets) return void Object.assign(waiting, fields)',
    replace: 'if (meets) return',
    test: 'test/kernel/writes.test.ts',
  },
]
