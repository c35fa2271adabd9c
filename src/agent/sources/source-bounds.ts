/** How large a source may be. */
import { TaskFailure } from '../performer.ts'

const GIB = 1_024 ** 3
export const SOURCE_BYTES_MAX = 2 * GIB
export const SOURCE_FILES_MAX = 200_000

export const tooLarge = (): TaskFailure =>
  new TaskFailure(
    'SOURCE_TOO_LARGE',
    `The source has more than ${SOURCE_FILES_MAX} files or ${SOURCE_BYTES_MAX / GIB} GiB`,
  )
