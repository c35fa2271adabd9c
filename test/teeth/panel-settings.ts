import type { Break } from './breaks.ts'

const test = 'test/panel/settings/settings.test.ts'

/** What administrators decide for the whole panel. */
export const panelSettingBreaks: readonly Break[] = [
  {
    promise: 'registering is closed until somebody opens it',
    file: 'src/panel/settings/events.ts',
    find: 'usual: false,',
    replace: 'usual: true,',
    test,
    named: 'registering is closed until an administrator opens it',
  },
  {
    promise: 'a decision is recorded, whatever held before',
    file: 'src/panel/settings/routes.ts',
    find: 'unit.appendEvent(settingEvents, undefined, SettingChanged({ settingId, value }))',
    replace: 'undefined',
    test,
    named: 'every decision is recorded under its request',
  },
]
