/** The pages follow what other staff and the service do. */
import { getAdminEventsStream, kinds } from '#api-client/licensing'
import { LiveUpdates } from '../live/live-updates.tsx'

const Live = () => <LiveUpdates feed={getAdminEventsStream} kinds={kinds} />
export default Live
