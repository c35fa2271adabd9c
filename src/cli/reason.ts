/** Explains an error to the user of a command, with advice. */
import { secretValuesIn, maskSecrets } from '../config/withheld-secrets.ts'
import { Rejection } from '../kernel/lib/rejection.ts'

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** An error does not tell which service's database it concerns, nor which login was used. */
const PROCESSES = 'DATABASE_URL (of a panel: PANEL_DATABASE_URL)'
const OWNER = 'DATABASE_OWNER_URL (of a panel: PANEL_DATABASE_OWNER_URL)'

/** By SQLSTATE. */
const REFUSED: Readonly<Record<string, string>> = {
  '28000': `The database rejects the login: check user and password in ${PROCESSES} or ${OWNER}, and pg_hba.conf`,
  '28P01': `The database rejects the login: check user and password in ${PROCESSES} or ${OWNER}`,
  '3D000': `The database does not exist: create it (CREATE DATABASE), or correct ${PROCESSES}`,
  '42501':
    `The login of ${PROCESSES} lacks the privilege for this. Set ${OWNER} to the URL with the login that owns the database, ` +
    'and run "daybook migrate" ("daybook panel migrate")',
  '53300': 'The database has no free connection: increase its max_connections, or start fewer processes',
}

/** Masks the secrets of the environment. */
export const reasonOf = (error: unknown): string => maskSecrets(explainError(error), secretValuesIn(process.env))

/** Errors with a text for users are shown as they are; other errors are bugs and are shown with their stack. */
function explainError(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return String(first)
  const { cause } = first
  if (first instanceof Rejection && cause !== undefined) return `${first.message}. ${explainError(cause)}`
  const code = 'code' in first && !(first instanceof Rejection) ? String(first.code) : ''
  const advice = UNREACHABLE.has(code)
    ? `The database cannot be reached: check that it is running and that ${PROCESSES} has its address`
    : REFUSED[code]
  if (advice !== undefined) return `${advice} (${first.message})`
  return isForPeople(first) ? first.message : (first.stack ?? first.message)
}

const isForPeople = ({ name }: Error): boolean => ['Error', 'error', 'Rejection'].includes(name)
