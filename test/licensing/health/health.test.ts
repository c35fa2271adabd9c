/** Counters of the service's health, over HTTP. */
import { readModels } from '../../../src/composition/licensing.ts'
import { testHealthReport } from '../../support/health-report.ts'
import { startService } from '../../support/licensing/service.ts'

const service = await startService({ compareReadModels: false })

testHealthReport({ ...service, running: service.licensing, readModels, reader: () => service.staff('AUDITOR') })
