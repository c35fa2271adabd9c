/** The pages follow what other staff and the service do. */
import { kinds } from '#api-client/licensing/declared'
import { getAdminEventsStream } from '#api-client/licensing/events'
import { LiveUpdates } from '../live/live-updates.tsx'

const Live = () => <LiveUpdates feed={getAdminEventsStream} kinds={kinds} />
export default Live
