/** Texts of Dockerfiles. Programs are named with their arguments, so that no shell reads them. */

export const from = (image: string, stage?: string): string =>
  `FROM ${image}${stage === undefined ? '' : ` AS ${stage}`}`
export const run = (...argv: readonly string[]): string => `RUN ${JSON.stringify(argv)}`
export const cmd = (...argv: readonly string[]): string => `CMD ${JSON.stringify(argv)}`
/** @param names of variables that are given to the build */
export const args = (names: readonly string[]): string[] => names.map((name) => `ARG ${name}`)
export const port = (number: number): string[] => [`ENV PORT=${number}`, `EXPOSE ${number}`]
export const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`

/** A path that needs no quotes anywhere. */
export const PLAIN_PATH = /^(?!-)(?!.*\.\.)[\w.-]+(?:\/[\w.-]+)*$/
