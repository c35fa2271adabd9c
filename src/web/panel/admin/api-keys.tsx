import { getAdminApiKeys } from '#api-client/panel/api-keys'
import { Empty } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { KEY_COLUMNS } from './key-columns.tsx'

export default function AllApiKeys() {
  return (
    <Page title="All API keys">
      <RecordTable
        operation={getAdminApiKeys}
        caption="API keys of all people"
        filters={['userId']}
        labels={{ userId: 'Id of a person' }}
        keyOf={({ id }) => id}
        columns={KEY_COLUMNS}
        empty={<Empty>No person has made an API key yet.</Empty>}
      />
    </Page>
  )
}
