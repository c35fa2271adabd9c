/** Asks the agent of a server for what its engine holds. */
import type { HandlerContext } from '#kernel/http/route'
import type { AskKind } from '../../tasks/kind.ts'
import { ask } from '../agent/asks.ts'
import { installationOf } from '../agent/installation.ts'

export type ListCall = HandlerContext<{ readonly serverId: string }>
export type ListKind<Item> = AskKind<{ installation: string }, { items: Item[] }>

/** @throws Rejection as `ask` does */
export async function listed<Item>(call: ListCall, kind: ListKind<Item>): Promise<Item[]> {
  const { params, vault } = call
  return (await ask(call, kind, params.serverId, { installation: await installationOf(vault) })).items
}
