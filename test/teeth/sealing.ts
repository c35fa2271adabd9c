import type { Break } from './breaks.ts'

const VAULT = 'src/kernel/vault/vault.ts'
const CODEC = 'src/kernel/events/codec.ts'

const vault = 'test/kernel/vault/vault.test.ts'
const command = 'test/kernel/commands/command.test.ts'
const log = 'test/kernel/logging/log.test.ts'
const canary = 'test/licensing/provisioning/canary.test.ts'
const secrets = 'test/evaluation/secrets-file.test.ts'

/** What is personal or secret, at rest and in the log. */
export const sealingBreaks: readonly Break[] = [
  {
    promise: 'sealed fields are ciphertext in the store',
    file: CODEC,
    find: 'data[field] = await vault.seal(plain, { subject, type: type.type, field })',
    replace: 'data[field] = plain',
    test: command,
    named: 'sealed fields and the address are ciphertext',
  },
  {
    promise: 'the address in the metadata is ciphertext',
    file: CODEC,
    find: "await vault.seal(ip, { ...ipSealField(actor), type: 'metadata' })",
    replace: 'ip',
    test: command,
    named: 'sealed fields and the address are ciphertext',
  },
  {
    promise: 'the address in the metadata is ciphertext everywhere',
    file: CODEC,
    find: "await vault.seal(ip, { ...ipSealField(actor), type: 'metadata' })",
    replace: 'ip',
    test: 'test/licensing/auth/attacks.test.ts',
    named: 'no personal value and no secret',
  },
  {
    promise: 'a seal is bound to its subject',
    file: VAULT,
    find: 'JSON.stringify([type, field, subject])',
    replace: 'JSON.stringify([type, field])',
    test: vault,
    named: 'of a subject that was given the same key',
  },
  {
    promise: 'a seal is bound to its field',
    file: VAULT,
    find: 'JSON.stringify([type, field, subject])',
    replace: 'JSON.stringify([type, subject])',
    test: vault,
    named: 'opens nowhere else',
  },
  {
    promise: 'every customer has a key of his own',
    file: 'src/licensing/customers/events.ts',
    find: 'sealedFor = ({ customerId }: Addressed): string => customerSubject(customerId)',
    replace: "sealedFor = (_: Addressed): string => 'customer/all'",
    test: 'test/licensing/customers/customers.test.ts',
    named: 'answers the record, with what he has',
  },
  {
    promise: 'a key-encryption key of another installation is refused at the start',
    file: VAULT,
    find: "check: async () => void (await key('check'))",
    replace: 'check: async () => {}',
    test: vault,
    named: 'a wrong one is told what to do',
  },
  {
    promise: 'an altered byte of a seal is noticed',
    file: 'src/kernel/vault/aes-gcm.ts',
    find: 'decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()',
    replace: 'decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES))',
    test: vault,
    named: 'every altered byte is noticed',
  },
  {
    promise: 'processes that race for a key get the same one',
    file: 'src/kernel/vault/key-store.ts',
    find: 'const winner = (await get([subject])).get(subject)',
    replace: 'const winner = wrapped',
    test: vault,
    named: 'processes that race for a key',
  },
  {
    promise: 'claim keys are HMACs, not addresses',
    file: VAULT,
    find: ".digest('base64url'),",
    replace: ".digest('base64url') && value,",
    test: canary,
    named: 'leaves no trace of a person',
  },
  {
    promise: 'the log masks secrets wherever they were written',
    file: 'src/kernel/logging/log.ts',
    find: 'hooks: { streamWrite: (line: string) => maskLine(without(line)) }',
    replace: 'hooks: {}',
    test: log,
    named: 'wherever it was written',
  },
  {
    promise: 'the log redacts what is secret by its name, at every depth',
    file: 'src/kernel/logging/log.ts',
    find: ', `*.*["${field}"]`]',
    replace: ']',
    test: log,
    named: 'redacts what is secret by its name',
  },
  {
    promise: 'generated secrets are readable by their owner only',
    file: 'src/evaluation/secrets-file.ts',
    find: '{ mode: 0o600, flag',
    replace: '{ mode: 0o644, flag',
    test: secrets,
    named: 'generates once',
  },
  {
    promise: 'a secrets file that others may read is refused',
    file: 'src/evaluation/secrets-file.ts',
    find: '  refuseReadable(path)\n  return read(path)',
    replace: '  return read(path)',
    test: secrets,
    named: 'refuses',
  },
  {
    promise: 'the service writes no read model',
    file: 'migrations/0001_event_store.sql',
    find: 'GRANT SELECT ON ALL TABLES IN SCHEMA read TO daybook_service',
    replace: 'GRANT SELECT, UPDATE ON ALL TABLES IN SCHEMA read TO daybook_service',
    test: 'test/kernel/store/grants.test.ts',
  },
  {
    promise: 'nobody else appends',
    file: 'migrations/0001_event_store.sql',
    find: 'REVOKE ALL ON FUNCTION store.append, store.append_one, store.verdict FROM PUBLIC;',
    replace: '',
    test: 'test/kernel/store/grants.test.ts',
  },
  {
    promise: 'what runs as its owner finds nothing on a path of its caller',
    file: 'migrations/0014_erased_answers.sql',
    find: ' SET search_path = pg_catalog, pg_temp',
    replace: '',
    test: 'test/kernel/store/grants.test.ts',
  },
  {
    promise: 'the secret key does not reach the account of the database server',
    file: 'src/evaluation/embedded-postgres/account.ts',
    find: ", stdio: 'ignore', env: { PATH: SYSTEM_PATH } }",
    replace: ", stdio: 'ignore' }",
    test: 'test/evaluation/embedded-postgres.test.ts',
    named: 'does not see the environment',
  },
]
