import type { Break } from './breaks.ts'

const KEY = 'src/kernel/store/checkpoint-key.ts'
const HISTORY = 'src/kernel/store/history.ts'
const CHAIN = 'src/kernel/store/chain.ts'
const RESTORE = 'src/kernel/store/restore.ts'
const test = 'test/kernel/history.test.ts'
const backup = 'test/kernel/backup.test.ts'

/** Signed checkpoints, what they show that the chain alone cannot, and backups that are held to them. */
export const historyBreaks: readonly Break[] = [
  {
    promise: 'a checkpoint is what the installation has signed',
    file: KEY,
    find: "await compactVerify(jws, publicKey, { algorithms: ['EdDSA'] })",
    replace:
      "{ payload: Buffer.from(jws.split('.')[1]!, 'base64url'), protectedHeader: { typ: CHECKPOINT_TYPE, kid: publicKey ? kid : '' } }",
    test,
    named: 'what another key, another type or another place signed',
  },
  {
    promise: 'a recomputed chain is found by its checkpoints',
    file: CHAIN,
    find: 'if (noted.position !== position || noted.hash !== hash)',
    replace: 'if (noted.position !== position || noted.hash.length !== hash.length)',
    test,
    named: 'chain recomputed',
  },
  {
    promise: 'a tail that was cut off is found by its checkpoints',
    file: CHAIN,
    find: 'const beyond = this.#left.at(-1)',
    replace: 'const beyond = this.#left.at(1)',
    test,
    named: 'tail cut',
  },
  {
    promise: 'a tail that was cut off is found from the newest checkpoint too',
    file: CHAIN,
    find: 'if (from.position > chainHead)',
    replace: 'if (from.position > chainHead && start === undefined)',
    test,
    named: 'below the newest checkpoint is found from there too',
  },
  {
    promise: 'no checkpoint attests to what was not appended',
    file: HISTORY,
    find: 'if (isBroken(found)) throw new HistoryBroken(found)',
    replace: "if (isBroken(found)) return { events: 0, head: found.through, hash: '0'.repeat(64), after: 0 }",
    test,
    named: 'none is signed over events that are not what was appended',
  },
  {
    promise: 'the event of an append that was changed is pointed at',
    file: 'src/kernel/store/row-versions.ts',
    find: 'WHERE age < oldest_since AND at <= $2 AND kind = 0',
    replace: 'WHERE age > oldest_since AND at <= $2 AND kind = 0',
    test,
    named: 'fifty tamperings',
  },
  {
    promise: 'a running service signs where its history stands',
    file: 'src/kernel/store/checkpointing.ts',
    find: 'if (at !== undefined && !isDue) return',
    replace: 'if (!isDue) return',
    test: 'test/cli-audit.test.ts',
    named: 'signs where the history stands, unasked',
  },
  {
    promise: 'a backup is one snapshot',
    file: 'src/kernel/store/backup.ts',
    find: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
    replace: 'BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY',
    test: backup,
    named: 'what is written meanwhile is in all parts or in none',
  },
  {
    promise: 'a damaged part of a backup is refused by its name',
    file: RESTORE,
    find: "if (found.size !== bytes || hash.digest('hex') !== sha256)",
    replace: 'if (found.size !== bytes)',
    test: backup,
    named: 'a part with one bit changed',
  },
  {
    promise: 'a backup with another history than the signed one is refused',
    file: RESTORE,
    find: "if ('problem' in found) throw",
    replace: "if ('problem' in found && found.problem === 'forged') throw",
    test: backup,
    named: 'an event that was changed in the backup',
  },
  {
    promise: 'a backup is refused without its secret key',
    file: 'src/kernel/vault.ts',
    find: 'throw new Error(WRONG_KEK, { cause })',
    replace: 'throw cause',
    test: backup,
    named: 'without its secret key',
  },
  {
    promise: 'a restore that fails leaves nothing',
    file: RESTORE,
    find: 'DROP SCHEMA IF EXISTS ${SCHEMAS.join',
    replace: 'SELECT 1 -- ${SCHEMAS.join',
    test: backup,
    named: 'rows that end too early',
  },
  {
    promise: 'what no chain covers is held to the signature of the backup',
    file: RESTORE,
    find: 'if (!(await (await checkpointKey(vault)).hasSignedBackup(text, signature)))',
    replace: 'if (signature.length === 0 || text.length === 0)',
    test: backup,
    named: 'refused, and the database stays empty',
  },
  {
    promise: 'no word of a manifest becomes SQL that this version does not know',
    file: RESTORE,
    find: 'if (!isDeepStrictEqual(named, own)) throw',
    replace: 'if (isDeepStrictEqual(named, own[0])) throw',
    test: backup,
    named: 'a manifest that is no list of tables',
  },
  {
    promise: 'two restores at once do not drop each other',
    file: RESTORE,
    find: 'if (!rows[0]!.first) throw',
    replace: 'if (rows.length === 0) throw',
    test: backup,
    named: 'of two restores into one database',
  },
  {
    promise: 'a restore leaves what somebody else has begun',
    file: RESTORE,
    find: 'if (rows[0]!.taken) throw new TakenMeanwhile()',
    replace: '',
    test: backup,
    named: 'what somebody else has begun there meanwhile',
  },
  {
    promise: 'a backup signs no chain that it has not verified',
    file: HISTORY,
    find: 'await sound(pool, { from: newest, through: [{ position, hash }] })',
    replace: '',
    test: backup,
    named: 'is not signed unseen',
  },
]
