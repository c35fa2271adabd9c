/** `daybook licensing` over a store that breaks its promises, which a drill must notice. */
import { settingsOf } from '../../src/cli/settings.ts'
import { untilStopped } from '../../src/cli/until-stopped.ts'
import { openLicensing } from '../../src/composition/licensing.ts'
import { productionConfig } from '../../src/config/licensing.ts'
import { ensureFirstStaff } from '../../src/evaluation/first-start.ts'
import type { Append, EventStore } from '../../src/kernel/events/store-port.ts'
import { logger } from '../../src/kernel/logging/log.ts'
import { overrideStore } from '../../test/support/override-store.ts'

/** A store in which `faults` replaces some methods. */
export async function brokenLicensing(faults: (store: EventStore) => Partial<EventStore>): Promise<void> {
  const config = productionConfig(process.env)
  const log = logger({ level: config.logLevel })
  const service = await openLicensing(settingsOf(config), log, {
    store: (store) => overrideStore(store, faults(store)),
  })
  if (config.admin) await ensureFirstStaff(service, config.admin)
  await service.listen(config.port, config.host)
  log.info('licensing service started')
  await untilStopped()
  await service.close()
}

/** The answer to an acknowledged append. With position 0, no request waits for the read models. */
export const pretended = ({ parts }: Append) => ({
  position: 0,
  revisions: parts.map(({ expected, events }) => (expected === 'any' ? 0 : expected) + events.length),
})

export const sells = ({ parts }: Append): boolean =>
  parts.some(({ events }) => events.some(({ type }) => type === 'LicenseIssued'))
