/** The bill of materials, as CycloneDX: every package that the lock names, with its version, license and hash. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '../..')
const MIB = 1_048_576
/** npm 10 writes the path of a package, npm 11 does not. */
const PATH = 'cdx:npm:package:path'

interface Part {
  readonly [key: string]: unknown
  readonly properties?: readonly { readonly name: string }[]
}

interface Bill {
  readonly [key: string]: unknown
  readonly serialNumber: string
  readonly metadata: { readonly [key: string]: unknown; readonly component: Part }
  readonly components: readonly Part[]
}

/**
 * The same lock makes the same text. So npm's serial number, time and version and the name of this directory
 * are left out.
 * @throws Error if npm cannot be run
 */
export function billOfMaterials(): string {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error']
  const text = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * MIB })
  const { serialNumber: _serial, metadata, ...bill } = JSON.parse(text) as Bill
  const { timestamp: _moment, tools: _npm, component, ...about } = metadata
  const whole = {
    ...bill,
    metadata: { ...about, component: withoutPlace({ ...component, name: packageJson.name }) },
    components: bill.components.map(withoutPlace),
  }
  return `${JSON.stringify(whole, null, 2)}\n`
}

const withoutPlace = (part: Part): Part => ({
  ...part,
  ...(part.properties && { properties: part.properties.filter(({ name }) => name !== PATH) }),
})
