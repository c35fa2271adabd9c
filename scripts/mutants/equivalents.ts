/**
 * Mutants that no test can notice, each with the reason. An entry that names no mutant, and one that a test does notice, fails the
 * run: then the entry goes.
 */
export const EQUIVALENTS: Readonly<Record<string, string>> = {
  'bound src/cli/doctor.ts coreChecks < POSTGRES_MIN':
    'Postgres 15.0 alone has this number, and the tests run on another version.',
  'bound src/cli/doctor.ts coreChecks > SKEW_MS_MAX':
    'No test sets two clocks apart by exactly this many milliseconds.',
  'bound src/composition/worker.ts reportOnce > WORDS_MAX': 'One remembered message more changes no line of the log.',
  'bound src/composition/service.ts isTooFar > LAG_EVENTS_MAX':
    'The lag grows beyond exactly this number before it is read.',
  'bound src/composition/service.ts isTooFar > LAG_SECONDS_MAX':
    'The lag is measured by a clock, and never exactly this.',
  'where src/panel/access/server-access.ts projects userId':
    'It narrows the rules that are read; each of them is held against the rights of the caller.',
  'where src/panel/access/server-access.ts byTeams teamId':
    'It narrows the rules that are read; each of them is held against the rights of the caller.',
}
