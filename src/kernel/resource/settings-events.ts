/** Settings of a whole installation, changed by events. Secrets are not settings but configuration. */
import { z } from 'zod'
import { event, stream } from '../events/event.ts'

export interface Setting {
  readonly is: z.ZodType<boolean | number | string>
  /** The values that may be set from now on, if they are fewer than the values that remain valid. */
  readonly takes?: z.ZodType<boolean | number | string>
  /** The value if none was set. */
  readonly usual: boolean | number | string
  readonly does: string
}

/** By their keys, as the service declares them. */
export type Settings = Readonly<Record<string, Setting>>
export type SettingKeyOf<S extends Settings> = keyof S & string
export type SettingValueOf<S extends Settings, Key extends SettingKeyOf<S> = SettingKeyOf<S>> = z.output<S[Key]['is']>

/** The effective value: the last value set, or the default if a newer release no longer accepts it. */
export function effectiveSetting<S extends Settings, Key extends SettingKeyOf<S>>(
  settings: S,
  key: Key,
  decided: unknown,
): SettingValueOf<S, Key> {
  const { is, usual } = settings[key]!
  const given = is.safeParse(decided)
  return (given.success ? given.data : usual) as SettingValueOf<S, Key>
}

/** Any text is valid, because events with a key that a later release has removed must stay readable. */
export const SettingChanged = event(
  'SettingChanged',
  'settingId',
  { settingId: z.string(), value: z.union([z.boolean(), z.int(), z.string()]) },
  ({ settingId, value }) => `set ${settingId} to ${String(value)}`,
  { strict: true },
)

/** One stream for the installation: settings are few and rarely change. */
export const settingEvents = stream('settings', [SettingChanged])
