/** Loaded before a panel: a body that is still coming holds its place in flight, for as long as it takes. */
import { Stay } from '../../src/kernel/http/limits/load.ts'

Stay.prototype.body = (read) => read()
