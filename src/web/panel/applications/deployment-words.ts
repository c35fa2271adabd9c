/** What the pages say of a deployment. */
import type { Deployment } from '#api-client/panel/schemas'

export const KIND_WORDS: Readonly<Record<Deployment['kind'], string>> = {
  DEPLOY: 'Deploy',
  ROLLBACK: 'Roll back',
  RESTART: 'Restart',
  START: 'Start',
  STOP: 'Stop',
  PROMOTE: 'Promote',
}

export const CAUSE_WORDS: Readonly<Record<Deployment['cause']['type'], string>> = {
  USER: 'a person',
  KEY: 'an API key',
  WEBHOOK: 'a push',
  SCHEDULE: 'a schedule',
  PROMOTE: 'a promotion',
}

const WAITS: Readonly<Record<NonNullable<Deployment['waitingFor']>, string>> = {
  LANE: 'It waits for other deployments on its server.',
  SERVER: 'It waits for its server, whose agent is silent.',
}

const SKIPPED: Readonly<Record<string, string>> = {
  SAME_COMMIT: 'It was skipped: the commit runs already.',
  NOT_WATCHED: 'It was skipped: the push changes nothing below the watched paths.',
}

const ENDS: readonly string[] = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED', 'SKIPPED']
const SHORT_SHA = 12
const [MS_PER_SECOND, SECONDS_PER_MINUTE] = [1_000, 60]

export const isOver = ({ status }: Pick<Deployment, 'status'>): boolean => ENDS.includes(status)

/** Why nothing moves, or nothing was done; undefined: it goes on. */
export function stillness({ waitingFor, skippedWhy, status }: Deployment): string | undefined {
  if (status === 'SUPERSEDED') return 'A newer one took its place before it began.'
  if (skippedWhy !== null) return SKIPPED[skippedWhy] ?? 'It was skipped.'
  return waitingFor === null ? undefined : WAITS[waitingFor]
}

export const shortSha = (sha: string): string => sha.slice(0, SHORT_SHA)

/** What it deploys: its commit with the subject, or its image. */
export function contentOf({ commit, imageId }: Pick<Deployment, 'commit' | 'imageId'>): string | undefined {
  if (commit) return [shortSha(commit.sha), commit.subject].filter(Boolean).join(' ')
  return imageId === null ? undefined : shortSha(imageId.replace('sha256:', ''))
}

/** `1 min 5 s` between two times. */
export function durationBetween(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from))
  if (ms < MS_PER_SECOND) return `${ms} ms`
  const seconds = Math.round(ms / MS_PER_SECOND)
  const [minutes, rest] = [Math.floor(seconds / SECONDS_PER_MINUTE), seconds % SECONDS_PER_MINUTE]
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${rest} s`
}
