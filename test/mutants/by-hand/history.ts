/** Checkpoints, verification and backups. */
import type { Break } from '../../../scripts/mutants/by-hand.ts'

export const historyBreaks: readonly Break[] = [
  {
    promise: 'a checkpoint is what the installation has signed',
    file: 'src/kernel/history/checkpoint-key.ts',
    in: 'verifyJws',
    find: "await compactVerify(jws, publicKey, { algorithms: ['EdDSA'] })",
    replace:
      "{ payload: Buffer.from(jws.split('.')[1]!, 'base64url'), protectedHeader: { typ: CHECKPOINT_TYPE, kid: publicKey ? kid : '' } }",
    test: 'test/kernel/history/history.test.ts',
    named: 'what another key, another type or another place signed',
  },
  {
    promise: 'a tail that was cut off is found by its checkpoints',
    file: 'src/kernel/history/chain.ts',
    in: 'end',
    find: 'const beyond = this.#left.at(-1)',
    replace: 'const beyond = this.#left.at(1)',
    test: 'test/kernel/history/history.test.ts',
    named: 'tail cut',
  },
  {
    promise: 'the event of an append that was changed is pointed at',
    file: 'src/kernel/history/row-versions.ts',
    in: 'WRITTEN_LATE',
    find: 'WHERE age < oldest_since AND at <= $2 AND kind = 0',
    replace: 'WHERE age > oldest_since AND at <= $2 AND kind = 0',
    test: 'test/kernel/history/history.test.ts',
    named: 'fifty tamperings',
  },
  {
    promise: 'a backup is one snapshot',
    file: 'src/kernel/history/backup.ts',
    in: 'BEGIN',
    find: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    replace: 'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY',
    test: 'test/kernel/history/backup.test.ts',
    named: 'what is written meanwhile is in all parts or in none',
  },
  {
    promise: 'a running service holds its log to what it has signed',
    file: 'src/kernel/history/verify-history.ts',
    in: 'makeCheckpoint',
    find: 'from: known ?? newest,',
    replace: 'from: newest ?? (known && undefined),',
    test: 'test/kernel/history/history.test.ts',
    named: 'a process holds the log to what it has signed itself',
  },
]
