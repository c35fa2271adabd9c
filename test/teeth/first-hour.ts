import type { Break } from './breaks.ts'

const SECRETS = 'src/evaluation/secrets-file.ts'
const BEFORE_START = 'src/evaluation/embedded-postgres/before-start.ts'

const directory = 'test/evaluation/data-directory.test.ts'
const welcome = 'test/cli/welcome.test.ts'
const withheld = 'test/cli/withheld.test.ts'

/** Breaks of the first start and of the messages that a new operator sees. */
export const firstHourBreaks: readonly Break[] = [
  {
    promise: 'a password that came from the environment is not shown',
    file: 'src/cli/start.ts',
    find: 'if (isNew) return { email, passwordPlace: AS_GIVEN }',
    replace: 'if (isNew) return { email, password, passwordPlace: AS_GIVEN }',
    test: 'test/cli/cli.test.ts',
    named: 'start shows nothing of what the environment says in secret',
  },
  {
    promise: 'no log holds a secret of the environment',
    file: 'src/cli/log.ts',
    find: 'withheld: secretValuesIn(process.env)',
    replace: 'withheld: [] as string[]',
    test: withheld,
    named: 'a Redis that refuses its password',
  },
  {
    promise: 'no error that is shown holds a secret of the environment',
    file: 'src/cli/reason.ts',
    find: 'maskSecrets(explainError(error), secretValuesIn(process.env))',
    replace: 'explainError(error)',
    test: withheld,
    named: 'the reason of a failure',
  },
  {
    promise: 'no new secrets are made beside a database that was made with others',
    file: SECRETS,
    find: '    refuseOrphan(dataDir, path)\n    create',
    replace: '    create',
    test: 'test/evaluation/secrets-file.test.ts',
    named: 'missing beside a database',
  },
  {
    promise: 'a command makes no evaluation where a start was refused',
    file: 'src/cli/installation.ts',
    find: 'if (!secrets || !existsSync(existingPgdata(dataDir)))',
    replace: 'if (!secrets)',
    test: directory,
    named: 'a command makes no evaluation',
  },
  {
    promise: 'a database of another major version of Postgres is named',
    file: BEFORE_START,
    find: 'if (made === served) return',
    replace: 'if (made !== undefined) return',
    test: directory,
    named: 'a database of another major version',
  },
  {
    promise: 'a disk without room for a database is named before one is made',
    file: BEFORE_START,
    find: 'if (mib >= needed) return',
    replace: 'if (mib >= 0) return',
    test: directory,
    named: 'a new database needs more room',
  },
  {
    promise: 'a data directory that is a file is named',
    file: 'src/evaluation/data-directory-problem.ts',
    find: '  ENOTDIR: A_FILE,\n',
    replace: '',
    test: directory,
    named: 'a file in its place is named',
  },
  {
    promise: 'where no directory can be made, making one fails',
    file: 'src/kernel/lib/directories.ts',
    find: 'if (!(await isDirectory(path))) throw error',
    replace: 'void error',
    test: 'test/kernel/lib/directories.test.ts',
    named: 'where nothing can be made it ends',
  },
  {
    promise: 'two services of one port are refused',
    file: 'src/cli/free-port.ts',
    find: 'if (licensing.port !== panel.port || !isShared) return',
    replace: 'if (isShared) return',
    test: welcome,
    named: 'are in each other’s way: true',
  },
  {
    promise: 'a printed command is for a shell what it looks like',
    file: 'src/cli/address.ts',
    find: 'shellQuoted(JSON.stringify(body))',
    replace: 'JSON.stringify(JSON.stringify(body))',
    test: welcome,
    named: 'a shell takes each part',
  },
  {
    promise: 'a printed address opens where the service listens on all of them',
    file: 'src/cli/address.ts',
    find: 'const name = ALL[host] ?? host',
    replace: 'const name = host',
    test: welcome,
    named: 'a service that listens on 0.0.0.0',
  },
  {
    promise: 'a live key of Stripe goes into no evaluation and to no other server',
    file: 'src/config/licensing.ts',
    find: "!(isLiveKey(read.STRIPE_SECRET_KEY ?? '') && where(read))",
    replace: "!(isLiveKey('') && where(read))",
    test: 'test/evaluation/config.test.ts',
    named: 'a live key of Stripe',
  },
  {
    promise: 'a notice of the other mode than the key of Stripe is refused',
    file: 'src/licensing/adapters/stripe.ts',
    find: 'if (livemode === !signed.isLive)',
    replace: 'if (livemode === undefined)',
    test: 'test/licensing/payments/provider.test.ts',
    named: 'of the other mode than the key',
  },
]
