/** What went wrong and what to do, for whoever typed the command. */
import { Rejection } from '../kernel/lib/rejection.ts'
import { secretValuesIn, maskSecrets } from '../config/withheld-secrets.ts'

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** An error does not tell which service's database it is about, nor as whom it was asked. */
const PROCESSES = 'DATABASE_URL (of a panel: PANEL_DATABASE_URL)'
const OWNER = 'DATABASE_OWNER_URL (of a panel: PANEL_DATABASE_OWNER_URL)'

/** By SQLSTATE. */
const REFUSED: Readonly<Record<string, string>> = {
  '28000': `The database refuses the login: check user and password in ${PROCESSES} or ${OWNER}, and pg_hba.conf`,
  '28P01': `The database refuses the login: check user and password in ${PROCESSES} or ${OWNER}`,
  '3D000': `There is no such database: create it (CREATE DATABASE), or correct ${PROCESSES}`,
  '42501':
    `The login of ${PROCESSES} may not do that. Set ${OWNER} to the URL with the login that owns the database, ` +
    'and run "daybook migrate" ("daybook panel migrate")',
  '53300': 'The database has no connection left: raise its max_connections, or start fewer processes',
}

/** No secret of the environment stands in it. */
export const reasonOf = (error: unknown): string => maskSecrets(explainError(error), secretValuesIn(process.env))

/** Errors that were written for people are repeated; what is a bug is shown with its stack. */
function explainError(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return String(first)
  const { cause } = first
  if (first instanceof Rejection && cause !== undefined) return `${first.message}. ${explainError(cause)}`
  const code = 'code' in first && !(first instanceof Rejection) ? String(first.code) : ''
  const advice = UNREACHABLE.has(code)
    ? `The database cannot be reached: is it running, and does ${PROCESSES} say where?`
    : REFUSED[code]
  if (advice !== undefined) return `${advice} (${first.message})`
  return isForPeople(first) ? first.message : (first.stack ?? first.message)
}

const isForPeople = ({ name }: Error): boolean => ['Error', 'error', 'Rejection'].includes(name)
