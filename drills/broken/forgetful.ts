/** Recognises no reference and no address: a shop that repeats its order buys twice. */
import { brokenLicensing } from './licensing.ts'

await brokenLicensing((store) => ({
  holderOf: (claim) => (claim.scope === 'reference' ? Promise.resolve(undefined) : store.holderOf(claim)),
  append: ({ parts, take = [], release = [] }) =>
    store.append({ parts, take: take.filter(({ scope }) => scope !== 'reference'), release }),
}))
