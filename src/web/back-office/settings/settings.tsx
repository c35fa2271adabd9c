import { Page } from '../../kit/page.tsx'
import { Announcements } from './announcements.tsx'
import { SigningKeys } from './signing-keys.tsx'
import { Switches } from './switches.tsx'

export default function Settings() {
  return (
    <Page title="Settings">
      <Switches />
      <SigningKeys />
      <Announcements />
    </Page>
  )
}
