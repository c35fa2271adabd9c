import { z } from 'zod'

/** A boolean in a query. Further spellings, such as `1` and `yes`, are accepted too. */
export const flag = z.stringbool().meta({ enum: ['true', 'false'] })
