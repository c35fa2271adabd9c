/** What the log of a release does not show. Names of variables and of services are words of many logs. */
import { HIDDEN_CHARACTERS_MIN } from '../../tasks/applications.ts'
import { ReleaseSecrets } from '../../tasks/releases.ts'

export const variableValues = (secrets: unknown): string[] =>
  ReleaseSecrets.parse(secrets ?? { env: [] }).env.flatMap(({ value }) =>
    value.length >= HIDDEN_CHARACTERS_MIN ? [value] : [],
  )
