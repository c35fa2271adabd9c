/** Zod schemas as JSON Schema inside a larger document, where a schema that refers to itself needs a place of its own. */
import { z } from 'zod'
import type { JsonObject } from '../../events/store-port.ts'

export class Schemas {
  /** What belongs under `#/components/schemas`, complete once every schema was asked for. */
  readonly shared: Record<string, JsonObject> = {}
  #recursive = 0

  of(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    const text = JSON.stringify(plain)
    return text.includes('"$ref":"#') ? this.#hoisted(text) : (JSON.parse(text) as JsonObject)
  }

  #hoisted(text: string): JsonObject {
    const name = `Recursive${(this.#recursive += 1)}`
    const moved = text
      .replaceAll('"$ref":"#/$defs/', `"$ref":"#/components/schemas/${name}.`)
      .replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${name}"`)
    const { $defs = {}, ...root } = JSON.parse(moved) as { $defs?: Record<string, JsonObject> } & JsonObject
    for (const [part, schema] of Object.entries($defs)) this.shared[`${name}.${part}`] = schema
    this.shared[name] = root
    return root
  }
}
