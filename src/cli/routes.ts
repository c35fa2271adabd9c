import { LICENSE_SIGNED } from '../licensing/access/access.ts'
import type { ServiceProfile } from './service-profile.ts'

const KIND_LABELS: Readonly<Record<string, string>> = { token: 'machine token', signed: 'license key', key: 'API key' }
/** The credentials of programs. */
const PROGRAM_CREDENTIALS = { licensing: ['token', 'machine tokens'], panel: ['key', 'API keys'] } as const

/** Lists the access that each route needs, from its declaration. */
export async function listRoutes(_words: readonly string[], { name, routes }: ServiceProfile): Promise<void> {
  const rows = routes.map(({ line, access: { kinds, permission, rule, scheme } }) => {
    const isOpen = kinds.length === 0
    const [method = '', path = ''] = line.split(' ')
    return {
      method,
      path,
      needs: isOpen
        ? 'nothing'
        : (permission ?? (rule ? 'a rule' : scheme === LICENSE_SIGNED ? 'a signature' : 'a session')),
      reach: isOpen ? 'public' : kinds.map((kind) => KIND_LABELS[kind] ?? kind).join(', '),
    }
  })
  const width = (column: keyof (typeof rows)[number]) => Math.max(...rows.map((row) => row[column].length))
  const widths = { method: width('method'), path: width('path'), needs: width('needs') }
  for (const { method, path, needs, reach } of rows.toSorted((one, other) => (one.path < other.path ? -1 : 1)))
    console.log([method.padEnd(widths.method), path.padEnd(widths.path), needs.padEnd(widths.needs), reach].join('  '))
  const [kind, called] = PROGRAM_CREDENTIALS[name]
  const opened = routes.filter(({ access }) => access.kinds.includes(kind)).length
  console.log(`\n${rows.length} routes, ${opened} of them open to ${called}.`)
}
