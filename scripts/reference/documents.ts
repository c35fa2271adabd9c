/** The OpenAPI documents of both services, as they serve them, and the declarations that they are made of. */
import * as licensing from '../../src/composition/licensing.ts'
import * as panel from '../../src/composition/panel.ts'
import type { JsonObject } from '../../src/kernel/events/store-port.ts'
import { readiness } from '../../src/kernel/http/health.ts'
import { metrics } from '../../src/kernel/http/metrics.ts'
import { withDocumentation } from '../../src/kernel/http/openapi/docs-routes.ts'
import { openapi } from '../../src/kernel/http/openapi/openapi.ts'
import type { Docs } from '../../src/kernel/http/openapi/openapi.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import type { Section } from '../../src/kernel/resource/section.ts'
import { sections as licensingSections } from '../../src/licensing/index.ts'
import { sections as panelSections } from '../../src/panel/index.ts'

export interface DocumentedService {
  readonly name: 'licensing' | 'panel'
  readonly docs: Docs
  readonly sections: readonly Section[]
}

export const DOCUMENTED: readonly DocumentedService[] = [
  { name: 'licensing', docs: licensing.DOCS, sections: licensingSections },
  { name: 'panel', docs: panel.DOCS, sections: panelSections },
]

/** The routes that every service has. */
export const commonRoutes = ({ docs }: DocumentedService): readonly Route[] =>
  withDocumentation([...readiness([]).routes, ...metrics().routes], docs, '')

export const documentOf = (service: DocumentedService): JsonObject =>
  openapi([...service.sections.flatMap(({ routes }) => routes), ...commonRoutes(service)], service.docs, '')

/** The same without notes of fields, for forms: their labels say as much. */
export const formsOf = (service: DocumentedService): JsonObject =>
  documentOf({ ...service, docs: { ...service.docs, fields: {} } })
