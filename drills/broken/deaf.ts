/** Acknowledges a sale that the database refused. */
import { brokenLicensing, pretended, sells } from './licensing.ts'

await brokenLicensing((store) => ({
  append: (append) =>
    store.append(append).catch((error: unknown) => {
      if (sells(append)) return pretended(append)
      throw error
    }),
}))
