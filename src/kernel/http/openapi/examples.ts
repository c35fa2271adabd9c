/** Gives each JSON body and each JSON answer an example. */
import { z } from 'zod'
import type { Json, JsonObject } from '../../events/store-port.ts'
import { isCachedReply } from '../route.ts'
import type { Route } from '../route.ts'
import type { FieldNotes } from './field-notes.ts'
import type { Parameter } from './operations.ts'
import { sampler } from './samples.ts'
import type { Sampler } from './samples.ts'

type Content = Readonly<Record<string, { readonly schema: JsonObject }>>
type Message = { readonly content?: Content } & JsonObject
interface Spec {
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Message
  readonly responses: Readonly<Record<string, Message>>
}

/** @param routes those of the document: an example is one that they accept */
export function withExamples(document: JsonObject, routes: readonly Route[], notes: FieldNotes): JsonObject {
  const { schemas } = document['components'] as { readonly schemas: Record<string, JsonObject> }
  const samples = sampler(notes, schemas)
  const byLine = new Map(routes.map((route) => [route.path.replaceAll(/:(\w+)/g, '{$1}') + route.method, route]))
  const exampled = (path: string, method: string, spec: Spec): Json => {
    const route = byLine.get(path + method.toUpperCase())!
    return {
      ...spec,
      parameters: spec.parameters.map((parameter) => withValue(parameter, spec.tags[0]!, samples)),
      ...(spec.requestBody && { requestBody: withBody(route, spec, samples) }),
      responses: Object.fromEntries(
        Object.entries(spec.responses).map(([status, response]) => [
          status,
          withAnswer(route, spec, response, samples),
        ]),
      ),
    } as unknown as Json
  }
  const paths = Object.entries(document['paths'] as unknown as Record<string, Record<string, Spec>>)
  return {
    ...document,
    paths: Object.fromEntries(
      paths.map(([path, methods]) => [
        path,
        Object.fromEntries(Object.entries(methods).map(([method, spec]) => [method, exampled(path, method, spec)])),
      ]),
    ),
  }
}

/** Parameters that a request needs. */
function withValue(parameter: Parameter, within: string, samples: Sampler): Parameter {
  const example = parameter.required ? samples.valueOf(parameter.schema, parameter.name, within) : undefined
  return example === undefined ? parameter : { ...parameter, example }
}

function withBody({ body }: Route, { tags, requestBody }: Spec, samples: Sampler): Json {
  const schema = jsonSchemaIn(requestBody!)
  if (!body || !schema) return requestBody!
  const accepted = samples.bodiesOf(schema, tags[0]!).find((value) => body.safeParse(value).success)
  return accepted === undefined ? requestBody! : withExample(requestBody!, accepted)
}

function withAnswer({ reply }: Route, { tags }: Spec, response: Message, samples: Sampler): Json {
  const schema = jsonSchemaIn(response)
  const answers = isCachedReply(reply) ? reply.schema : reply
  if (!schema || !(answers instanceof z.ZodType) || isError(schema)) return response
  const value = samples.valueOf(schema, '', tags[0]!)
  return value === undefined ? response : withExample(response, value)
}

const jsonSchemaIn = ({ content }: Message): JsonObject | undefined => content?.['application/json']?.schema

const isError = ({ $ref }: JsonObject): boolean => $ref === '#/components/schemas/Error'

const withExample = (message: Message, example: Json): JsonObject => ({
  ...message,
  content: { 'application/json': { ...message.content!['application/json']!, example } },
})
