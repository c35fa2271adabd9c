/** Counters of the platform's health, over HTTP. */
import { readModels } from '../../../src/composition/panel.ts'
import { testHealthReport } from '../../support/health-report.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel({ compareReadModels: false })
const reader = async () => (await panel.somebody('ADMIN', ['system:view'])).as

testHealthReport({ ...panel, running: panel.panel, readModels, reader })
