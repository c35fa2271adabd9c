/** The pages follow what other people and the panel do. */
import { getEventsStream, kinds } from '#api-client/panel'
import { LiveUpdates } from '../live/live-updates.tsx'

const Live = () => <LiveUpdates feed={getEventsStream} kinds={kinds} />
export default Live
