/**
 * The store contract on a real server, if one is available. eventstoredb-store.test.ts runs it on the double
 * everywhere.
 */
import { afterAll, describe, test } from 'vitest'
import { openKurrentDbStore } from '#kernel/store/kurrentdb/kurrentdb-store'
import { kurrentServer } from '#test/support/kurrentdb-server'
import { orderContract } from '../../support/kernel/order-contract.ts'
import { storeContract } from '../../support/kernel/store-contract.ts'

const server = await kurrentServer()

if (typeof server === 'string') {
  console.warn(`NO REAL KurrentDB was tested, only its double: ${server}`)
  describe.skip('eventstoredb, on a real server', () => {
    test('keeps the contract of an event store', () => {})
  })
} else {
  console.log(`A REAL KurrentDB is tested: ${server.what}`)
  // The client's reading half has times in whole seconds.
  const differences = { sparse: true, clockMs: 1_000 }
  const open = () => openKurrentDbStore({ url: server.url })
  storeContract(`eventstoredb, on ${server.what},`, open, differences)
  orderContract(`eventstoredb, on ${server.what},`, open, differences)
  afterAll(() => server.stop())
}
