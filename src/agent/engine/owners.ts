/** Whose an object of the engine is, by its labels. */
import { z } from 'zod'
import { WORKLOAD_WORD_MAX } from '../../tasks/engine.ts'
import { LABELS } from '../../tasks/labels.ts'

export const Labels = z.record(z.string(), z.string()).nullish()
export type Labels = z.output<typeof Labels>

/** A container has the labels of its image too, so that of a workload could claim to be the panel. */
export const isPlatform = (labels: Labels): boolean =>
  labels?.[LABELS.platform] !== undefined && labels[LABELS.workload] === undefined

const MANAGED = [LABELS.workload, LABELS.project, LABELS.environment]

/** Whether a panel manages it, this one or another one on the same engine. */
export const isManaged = (labels: Labels): boolean => MANAGED.some((label) => labels?.[label] !== undefined)

/** Null: it has none that a panel gives, or another panel has made it. */
export function workloadOf(labels: Labels, installation: string): { kind: string; id: string } | null {
  const workload = labels?.[LABELS.installation] === installation ? labels[LABELS.workload] : undefined
  const [kind, id, ...more] = workload?.split('/') ?? []
  const isName = (word: string | undefined): word is string =>
    word !== undefined && word !== '' && word.length <= WORKLOAD_WORD_MAX
  return isName(kind) && isName(id) && more.length === 0 ? { kind, id } : null
}
