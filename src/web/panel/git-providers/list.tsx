import { Page } from '../../kit/page.tsx'
import { ConnectProvider } from './connect.tsx'
import { Providers } from './providers.tsx'
import { SignInAtGitHub } from './sign-in-at-github.tsx'
import { SignInAtOwn, SignInEnd } from './sign-in-at-own.tsx'

export default function GitProviders() {
  return (
    <Page
      title="Git providers"
      actions={
        <>
          <SignInAtGitHub projectId={null} />
          <SignInAtOwn projectId={null} />
          <ConnectProvider projectId={null} />
        </>
      }
    >
      <SignInEnd />
      <Providers projectId={null} isManager={false} />
    </Page>
  )
}
