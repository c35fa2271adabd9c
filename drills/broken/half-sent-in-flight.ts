/**
 * Loaded before a panel: a body that is still arriving holds a place among the requests in work, however long
 * it takes.
 */
import { RequestSlots } from '../../src/kernel/http/limits/load.ts'

RequestSlots.prototype.body = (read) => read()
