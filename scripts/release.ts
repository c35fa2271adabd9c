/**
 * `npm run release`: checks the packages of a release that depend on time, so that no build can fail for
 * them. The list of advisories is fresh, and every package was published a week ago. Writes the bill of
 * materials.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { tellAdvisories } from './supply/advisories.ts'
import { youngerThan } from './supply/ages.ts'
import { billOfMaterials } from './supply/bill.ts'

const PUBLISHED_DAYS_MIN = 7
const ROOT = join(import.meta.dirname, '..')

const { isClean, isFresh } = tellAdvisories(new Date())
if (!isClean || !isFresh) process.exitCode = 1

console.log(
  `Checking with the registry that every package is at least ${PUBLISHED_DAYS_MIN} days old (1 to 2 minutes) …`,
)
const young = await youngerThan({ directory: ROOT, days: PUBLISHED_DAYS_MIN })
for (const each of young) console.error(`too young: ${each}`)
if (young.length > 0) process.exitCode = 1
else console.log('Every installed package is old enough.')

const file = `daybook-${packageJson.version}.cdx.json`
writeFileSync(join(ROOT, file), billOfMaterials())
console.log(`The bill of materials is in ${file}.`)
