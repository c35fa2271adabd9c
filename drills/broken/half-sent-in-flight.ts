/** Loaded before a panel: a body that is still coming holds its place in flight, for as long as it takes. */
import { RequestSlots } from '../../src/kernel/http/limits/load.ts'

RequestSlots.prototype.body = (read) => read()
