/** How an application has its previews: a part of its decider. */
import type { DataOf, EventOf } from '#kernel/events/event'
import { found, reject } from '#kernel/lib/rejection'
import { changedValues } from '#kernel/resource/fields'
import type { ChangesOf } from '#kernel/resource/fields'
import { aboutOf } from '../about/events.ts'
import { previewFields, previewSettingEvents } from './events.ts'
import type { PreviewSettings } from './events.ts'

type Configured = DataOf<typeof previewSettingEvents.ApplicationPreviewsConfigured>
type ConfiguredEvent = EventOf<typeof previewSettingEvents.ApplicationPreviewsConfigured>

interface Known {
  readonly id: string
  readonly projectId: string
  readonly environmentId: string
  readonly source: { readonly kind: string }
  readonly previews: PreviewSettings
}

export const previewSettingEvolve = {
  ApplicationPreviewsConfigured: <A extends { readonly previews: PreviewSettings }>(
    application: A | undefined,
    { enabled, baseDomain, limit, idleDays, setId }: Configured,
  ): A => ({ ...application!, previews: { enabled, baseDomain, limit, idleDays, setId } }),
}

/** @returns no event without a change @throws Rejection 409 NO_REPOSITORY | NO_BASE_DOMAIN */
export function previewsConfigured(known: Known, changes: ChangesOf<typeof previewFields>): ConfiguredEvent[] {
  const values = changedValues(previewFields, known.previews, changes)
  if (!values) return []
  if (values.enabled && known.source.kind !== 'GIT')
    reject('conflict', 'Only an application from git has previews: choose a repository first', 'NO_REPOSITORY')
  if (values.enabled && values.baseDomain === null)
    reject('conflict', 'Previews need a base domain for their addresses: set baseDomain', 'NO_BASE_DOMAIN')
  return [previewSettingEvents.ApplicationPreviewsConfigured({ ...aboutOf(known), ...values })]
}

export const previewSettingCommands = {
  ConfigurePreviews: (
    application: Known | undefined,
    { changes }: { readonly changes: ChangesOf<typeof previewFields> },
  ): ConfiguredEvent[] => previewsConfigured(found(application), changes),
}
