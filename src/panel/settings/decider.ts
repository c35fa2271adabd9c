import { settingsDecider } from '#kernel/resource/settings-decider'
import { SETTINGS } from './events.ts'

export const settings = settingsDecider(SETTINGS)
