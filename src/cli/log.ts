import type { DestinationStream, Logger } from 'pino'
import { secretValuesIn } from '../config/withheld-secrets.ts'
import { logger } from '../kernel/logging/log.ts'

/**
 * The log of a command, with the secrets of its environment masked.
 * @param destination by default standard output
 */
export const logOf = (level: string, destination?: DestinationStream): Logger =>
  logger({ level, withheld: secretValuesIn(process.env), ...(destination ? { destination } : {}) })
