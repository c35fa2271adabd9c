/**
 * Converts Zod schemas to JSON Schema. A schema with a name, `.meta({ id: 'License' })`, and a recursive one are moved
 * to `#/components/schemas`: the first so that it is written once, the second because its references must resolve.
 */
import { z } from 'zod'
import type { JsonObject } from '../../events/store-port.ts'

type Definitions = Readonly<Record<string, JsonObject>>

const REFERENCE = /"\$ref":"#(?:\/\$defs\/([^"]+))?"/g
/** Zod's names for recursive schemas without one of their own; they differ from one conversion to the next. */
const NAMELESS = /^__schema\d+$/

export class Schemas {
  /** The content of `#/components/schemas`; complete after the last call of `of`. */
  readonly shared: Record<string, JsonObject> = {}
  /** By their text, so that each is shared once. */
  readonly #recursive = new Map<string, string>()

  /** @throws Error if two different schemas have one name */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const { $schema: _dialect, $defs, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    const definitions = Object.entries(($defs ?? {}) as Definitions)
    const nameless = definitions.filter(([name]) => NAMELESS.test(name))
    const nameOf = (name: string | undefined) =>
      name === undefined || NAMELESS.test(name) ? this.#recursiveName([name ?? root, nameless]) : name
    const resolved = (part: object): JsonObject => {
      const toPlace = (_: string, name?: string) => `"$ref":"#/components/schemas/${nameOf(name)}"`
      return JSON.parse(JSON.stringify(part).replaceAll(REFERENCE, toPlace)) as JsonObject
    }
    for (const [name, part] of definitions) this.#share(nameOf(name), resolved(part))
    const whole = resolved(root)
    if (JSON.stringify(root).includes('"$ref":"#"')) this.#share(nameOf(undefined), whole)
    return whole
  }

  #recursiveName(schema: unknown): string {
    const text = JSON.stringify(schema)
    const name = this.#recursive.get(text) ?? `Recursive${this.#recursive.size + 1}`
    this.#recursive.set(text, name)
    return name
  }

  #share(name: string, schema: JsonObject): void {
    const known = this.shared[name]
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two different schemas have the name ${name}: give one of them another id`)
    this.shared[name] = schema
  }
}
