import { Page } from '../../kit/page.tsx'
import { AllApplications } from './applications.tsx'

export default function Applications() {
  return (
    <Page title="Applications">
      <AllApplications />
    </Page>
  )
}
