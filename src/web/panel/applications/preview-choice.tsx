/** Whether a page is about the application itself, or about one of its previews, which the address says. */
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { getApplicationsByIdPreviews } from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { useAnswerIf } from '../../session/context.tsx'
import { useProject } from '../projects/rights.tsx'
import { ChoiceField } from './choice-field.tsx'

interface ChosenPreview {
  /** Null: the application itself. */
  readonly previewId: string | null
  /** Undefined: there is nothing to choose. */
  readonly choice: ReactNode
}

export function usePreviewChoice({ id, source }: Application): ChosenPreview {
  const { can } = useProject()
  const [search, setSearch] = useSearchParams()
  const isAsked = source.kind === 'GIT' && can(getApplicationsByIdPreviews)
  const { data } = useAnswerIf(isAsked, getApplicationsByIdPreviews, { params: { id } })
  const previewId = search.get('previewId')
  const previews = data?.previews ?? []
  const isListed = previewId === null || previews.some((each) => each.id === previewId)
  if (previewId === null && previews.length === 0) return { previewId, choice: undefined }
  const choice = (
    <ChoiceField
      label="Of"
      value={previewId ?? ''}
      options={[
        ['', 'the application itself'],
        ...previews.map((each) => [each.id, `the preview of #${each.pullRequest}`] as const),
        ...(isListed ? [] : [[previewId, 'another preview'] as const]),
      ]}
      onChange={(chosen) => setSearch(chosen === '' ? {} : { previewId: chosen }, { replace: true })}
    />
  )
  return { previewId, choice }
}
