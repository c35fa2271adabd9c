import { postRegistries } from '#api-client/panel/registries'
import { Page } from '../../kit/page.tsx'
import { onPlatform } from '../../page-spec.ts'
import { useCan } from '../../session/context.tsx'
import { Registries } from './registries.tsx'

export default function InstallationRegistries() {
  const can = useCan()
  return (
    <Page title="Registries">
      <Registries projectId={null} isManaged={can(onPlatform(postRegistries))} />
    </Page>
  )
}
