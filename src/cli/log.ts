import type { DestinationStream, Logger } from 'pino'
import { logger } from '../kernel/logging/log.ts'
import { secretValuesIn } from '../config/withheld-secrets.ts'

/** The log of a command, in which no secret of its environment stands. @param destination by default standard output */
export const logOf = (level: string, destination?: DestinationStream): Logger =>
  logger({ level, withheld: secretValuesIn(process.env), ...(destination ? { destination } : {}) })
