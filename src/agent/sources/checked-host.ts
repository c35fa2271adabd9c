/** Resolves the host of a repository once. What is dialled is the very address that was checked. */
import { isIP } from 'node:net'
import { AddressRefused, checkedLookup, refuseAddress } from '#kernel/outbound/checked-connect'
import type { OutboundPolicy } from '#kernel/outbound/checked-connect'
import { isNamedAddress } from '#kernel/outbound/public-address'
import { TaskFailure } from '../performer.ts'
import type { GitAddress } from './git-address.ts'

/** @returns an IP address @throws TaskFailure ADDRESS_REFUSED · UNREACHABLE */
export async function checkedHost({ host, protocol }: GitAddress, reach: OutboundPolicy): Promise<string> {
  const address = await resolved(host, reach)
  // What travels in the clear stays in networks that the operator has named.
  if (protocol === 'http' && !isNamedAddress(address, reach.allow ?? []))
    throw new TaskFailure('ADDRESS_REFUSED', `${host} is asked by https:// only: use https:// or ssh://`)
  return address
}

async function resolved(host: string, reach: OutboundPolicy): Promise<string> {
  try {
    refuseAddress(host, reach)
    if (isIP(host) !== 0) return host
    return await lookedUp(host, reach)
  } catch (error) {
    if (error instanceof AddressRefused)
      throw new TaskFailure('ADDRESS_REFUSED', `${host} has an address that is neither public nor allowed by GIT_ALLOW`)
    throw new TaskFailure('UNREACHABLE', `The host finds no address of ${host}`)
  }
}

const lookedUp = (host: string, reach: OutboundPolicy): Promise<string> =>
  new Promise((resolve, reject) => {
    checkedLookup(reach)(host, {}, (error, address) => (error ? reject(error) : resolve(address as string)))
  })
