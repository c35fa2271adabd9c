import type { Unit } from '#kernel/command'
import type { Call } from '#kernel/http/route'
import { Rejection } from '#kernel/rejection'
import { StoreUnavailable } from '#kernel/store/port'

/** A read that is recorded before it is answered. Fails closed: for whatever reason it could not be recorded, its answer is 503 and holds nothing. */
export async function audited<Result>(run: Call['run'], work: (unit: Unit) => Promise<Result>): Promise<Result> {
  try {
    return await run(work)
  } catch (error) {
    throw error instanceof Rejection ? error : new StoreUnavailable(error)
  }
}
