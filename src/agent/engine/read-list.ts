/** Reads a list of the engine. */
import { z } from 'zod'
import type { EngineCall } from '../engine-call.ts'
import { TaskFailure } from '../performer.ts'

/** In bytes. What is no size is none. */
export const Size = z.int().min(0).nullish().catch(null)

/** @throws TaskFailure ENGINE_REFUSED for an answer that is no such list */
export async function readList<Schema extends z.ZodType>(
  call: EngineCall,
  path: string,
  schema: Schema,
  signal: AbortSignal,
): Promise<z.output<Schema>> {
  const { status, body } = await call('GET', path, signal)
  const parsed = schema.safeParse(body)
  if (status === 200 && parsed.success) return parsed.data
  throw new TaskFailure('ENGINE_REFUSED', 'The container engine did not list what it holds')
}
