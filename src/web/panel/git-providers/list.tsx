import { Page } from '../../kit/page.tsx'
import { ConnectProvider } from './connect.tsx'
import { Providers } from './providers.tsx'

export default function GitProviders() {
  return (
    <Page title="Git providers" actions={<ConnectProvider projectId={null} />}>
      <Providers projectId={null} isManager={false} />
    </Page>
  )
}
