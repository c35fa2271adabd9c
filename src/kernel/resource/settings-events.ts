/** What is decided for a whole installation. Secrets are none of it: they are configuration. */
import { z } from 'zod'
import { event, stream } from '../events/event.ts'

export interface Setting {
  readonly is: z.ZodType<boolean | number | string>
  /** What may be decided from now on, where that is less than what was decided before and still holds. */
  readonly takes?: z.ZodType<boolean | number | string>
  /** What holds where nothing was decided. */
  readonly usual: boolean | number | string
  readonly does: string
}

/** By their keys, as a service declares them. */
export type Settings = Readonly<Record<string, Setting>>
export type SettingKeyOf<S extends Settings> = keyof S & string
export type SettingValueOf<S extends Settings, Key extends SettingKeyOf<S> = SettingKeyOf<S>> = z.output<S[Key]['is']>

/** What holds, given what was decided last: a release may have become stricter since. */
export function effectiveSetting<S extends Settings, Key extends SettingKeyOf<S>>(
  settings: S,
  key: Key,
  decided: unknown,
): SettingValueOf<S, Key> {
  const { is, usual } = settings[key]!
  const given = is.safeParse(decided)
  return (given.success ? given.data : usual) as SettingValueOf<S, Key>
}

/** A key that a later release has dropped is still what happened, so any text is one. */
export const SettingChanged = event(
  'SettingChanged',
  'settingId',
  { settingId: z.string(), value: z.union([z.boolean(), z.int(), z.string()]) },
  ({ settingId, value }) => `set ${settingId} to ${String(value)}`,
  { strict: true },
)

/** One stream for the installation: they are few, and seldom changed. */
export const settingEvents = stream('settings', [SettingChanged])
