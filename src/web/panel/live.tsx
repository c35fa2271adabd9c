/** The pages follow what other people and the panel do. */
import { kinds } from '#api-client/panel/declared'
import { getEventsStream } from '#api-client/panel/events'
import { LiveUpdates } from '../live/live-updates.tsx'

const Live = () => <LiveUpdates feed={getEventsStream} kinds={kinds} />
export default Live
