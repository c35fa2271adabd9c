/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'

/** Get the script that an installCommand runs: it installs the panel with Docker Compose from the image named by DAYBOOK_IMAGE. */
export const getInstallSh = /*#__PURE__*/ operation<{
  readonly data: Response
}>('GET /install.sh', { openTo: [], answers: 'stream' })
