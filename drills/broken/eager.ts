/** Acknowledges a sale before it is committed. */
import { brokenLicensing, pretended, sells } from './licensing.ts'

const LATER_MS = 300

await brokenLicensing((store) => ({
  async append(append) {
    if (!sells(append)) return store.append(append)
    setTimeout(() => void store.append(append).catch(() => {}), LATER_MS)
    return pretended(append)
  },
}))
