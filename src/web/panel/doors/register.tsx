import { useState } from 'react'
import { Link } from 'wouter'
import { postAuthRegister } from '#api-client/panel/auth'
import { getSettingsPublic } from '#api-client/panel/settings'
import { Notice } from '../../kit/controls.tsx'
import { OperationForm } from '../../kit/form.tsx'
import { Page, Shown } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'

export default function Register() {
  const settings = useAnswer(getSettingsPublic)
  const [told, setTold] = useState<string>()
  return (
    <Page title="Create an account">
      <Shown answer={settings}>
        {({ registrationOpen, canMail }) =>
          registrationOpen && canMail ? (
            <div className="narrow stack">{told ? <Registered told={told} /> : <RegisterForm onDone={setTold} />}</div>
          ) : (
            <p>Registration is closed here. Ask an administrator of this panel for an account.</p>
          )
        }
      </Shown>
    </Page>
  )
}

const RegisterForm = ({ onDone }: { readonly onDone: (told: string) => void }) => (
  <OperationForm
    operation={postAuthRegister}
    order={['name', 'email', 'password']}
    fixed={{ setupToken: undefined }}
    labels={{ email: 'E-mail address' }}
    submit="Create the account"
    isOwn
    onDone={({ message }) => onDone(message)}
  />
)

const Registered = ({ told }: { readonly told: string }) => (
  <>
    <Notice tone="good">
      <p>{told}</p>
    </Notice>
    <p>
      No mail came? <Link href="/verify-email">Ask for another one</Link>.
    </p>
  </>
)
