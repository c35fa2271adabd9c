/** The help of the command line, and the files that are loaded to print it. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ALL_VARIABLES } from '../../src/cli/command-variables.ts'
import { LICENSING_SERVICE, PANEL_SERVICE } from '../../src/cli/commands.ts'
import { helpOf } from '../../src/cli/help.ts'
import { overview } from '../../src/cli/overview.ts'
import { usageOf } from '../../src/cli/usage.ts'
import { agentVariables } from '../../src/config/agent.ts'
import {
  evaluationVariables,
  panelEvaluationVariables,
  panelProductionVariables,
  productionVariables,
} from '../../src/config/environment.ts'
import { daybook } from '../support/processes/process.ts'
import { scratchPath } from '../support/scratch.ts'

const COLUMNS_MAX = 100
const ROOT = join(import.meta.dirname, '../..')

const commands = [LICENSING_SERVICE, PANEL_SERVICE].flatMap((service) =>
  Object.entries(service.commands).map(([name, command]) => ({
    called: `${service.commandPrefix} ${name}`,
    service,
    command,
  })),
)

const helpFor = (called: string): string => {
  const { service, command } = commands.find((each) => each.called === called)!
  return helpOf(service, command)
}

/** The variables of a help text, in its order. */
const namedIn = (help: string): string[] => [...help.matchAll(/^ {2}[* ] ([A-Z0-9_]+) {3}/gm)].map(([, name]) => name!)

test('help and every command’s own fit into 100 columns', () => {
  const texts = [
    overview(LICENSING_SERVICE.commands),
    ...commands.map(({ service, command }) => helpOf(service, command)),
  ]
  expect(texts.length).toBeGreaterThan(25)
  expect(texts.flatMap((text) => text.split('\n')).filter((line) => line.length > COLUMNS_MAX)).toEqual([])
})

describe('a command’s help names the variables that it reads', () => {
  test.each([
    ['daybook licensing', productionVariables],
    ['daybook worker', productionVariables],
    ['daybook panel', panelProductionVariables],
    ['daybook panel restore', panelProductionVariables],
    ['daybook doctor', { ...evaluationVariables, DAYBOOK_DATA_DIR: true }],
    ['daybook panel reset-2fa', { ...evaluationVariables, ...panelEvaluationVariables, DAYBOOK_DATA_DIR: true }],
    [
      'daybook start',
      { ...evaluationVariables, ...panelEvaluationVariables, ...agentVariables, DAYBOOK_DATA_DIR: true },
    ],
    ['daybook agent', agentVariables],
    ['daybook routes', {}],
  ])('%s', (called, variables) => {
    expect(namedIn(helpFor(called))).toEqual(Object.keys(variables).toSorted())
  })

  test('and says of each what it must be, and which must be set', () => {
    const help = helpFor('daybook licensing')
    expect(help).toMatch(/^ {4}LICENSING_PORT {2,}a port, 1 to 65535$/m)
    const required = [...help.matchAll(/^ {2}\* ([A-Z0-9_]+)/gm)].map(([, name]) => name)
    expect(required).toEqual(['DATABASE_URL', 'DAYBOOK_SECRET_KEY', 'LICENSING_URL'])
    expect(helpFor('daybook root-key')).toContain('DAYBOOK_ROOT_PASSPHRASE')
    expect(helpFor('daybook doctor')).toMatch(/With it, DAYBOOK_SECRET_KEY and LICENSING_URL\s+must be set too:/)
  })

  test('and none is without words', () => {
    const silent = commands.flatMap(({ called, service, command }) =>
      helpOf(service, command)
        .split('\n')
        .filter((line) => /^ {2}[* ] [A-Z0-9_]+ *$/.test(line))
        .map((line) => `${called}: ${line}`),
    )
    expect(silent).toEqual([])
  })
})

test('the page on configuration says what each variable is', () => {
  const first = readFileSync(join(ROOT, 'docs/operations/configuration.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ')[0]!)
    .join('\n')
  expect(ALL_VARIABLES.filter((name) => !first.includes(`\`${name}\``))).toEqual([])
})

test('a command with several forms shows each on a line', () => {
  expect(usageOf('daybook panel', ['audit checkpoint', 'audit key'])).toBe(
    'Usage: daybook panel audit checkpoint\n       daybook panel audit key',
  )
})

/** Runs the bin and records each file that it loads. */
async function loadedBy(args: readonly string[]) {
  const directory = scratchPath()
  mkdirSync(directory)
  const file = join(directory, 'loaded.json')
  const hooks = `
    import { registerHooks } from 'node:module'
    import { writeFileSync } from 'node:fs'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, JSON.stringify(loaded)))`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hooks)}`
  const ended = await daybook(args, { NODE_OPTIONS }).ended()
  const urls = (JSON.parse(readFileSync(file, 'utf8')) as string[]).filter((url) => url.startsWith('file:'))
  return { ...ended, files: urls.map((url) => new URL(url).pathname.slice(ROOT.length + 1)) }
}

describe('loads nothing that was not asked for', () => {
  test('to say its version', async () => {
    const { code, said, files } = await loadedBy(['--version'])
    expect([code, said]).toEqual([0, `${packageJson.version}\n`])
    expect(files.toSorted()).toEqual([
      'package.json',
      'src/cli/command-line.ts',
      'src/cli/commands.ts',
      'src/cli/disable-inspector.ts',
      'src/cli/limit-garbage.ts',
      'src/cli/usage.ts',
      'src/main.ts',
    ])
  })

  test('to say what commands there are', async () => {
    const { code, files } = await loadedBy(['--help'])
    expect([code, files.filter((file) => !/^(bin|src\/cli)\/|^src\/main\.ts$|^package\.json$/.test(file))]).toEqual([
      0,
      [],
    ])
  })

  test('a panel knows nothing of the licensing service', async () => {
    const { code, files } = await loadedBy(['panel'])
    expect(code).toBe(1)
    expect(files).toContain('src/panel/index.ts')
    expect(files.filter((file) => /^(src|projections)\/licensing\//.test(file))).toEqual([])
  })
})

test('a variable that is nearly ours is named at the start, and one that is not is not', async () => {
  const { code, said, complained } = await daybook(['licensing'], { LICENCING_PORT: '1', REDIS_URI: 'x' }).ended()
  expect([code, said]).toEqual([1, ''])
  expect(complained).toMatch(/^Daybook has no environment variable LICENCING_PORT. Did you mean LICENSING_PORT\?\n/)
  expect(complained).not.toContain('REDIS_URI')
})
