/**
 * `npm run advisories`: fails if a lock holds a package with a known advisory that is not accepted. An old
 * list is only a warning here, because time alone must fail no build; `npm run release` fails then.
 */
import { tellAdvisories } from './supply/advisories.ts'

if (!tellAdvisories(new Date()).isClean) process.exitCode = 1
