/**
 * Converts Zod schemas to JSON Schema. A recursive schema is moved to `#/components/schemas`, because
 * its references must resolve there.
 */
import { z } from 'zod'
import type { JsonObject } from '../../events/store-port.ts'

export class Schemas {
  /** The content of `#/components/schemas`; complete after the last call of `of`. */
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
