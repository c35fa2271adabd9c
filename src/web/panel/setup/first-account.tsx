import { postAuthRegister } from '#api-client/panel/auth'
import { OperationForm } from '../../kit/form.tsx'
import { useSession } from '../../session/context.tsx'

/** The printed link lets its reader make the first account, and signs in to it. */
export function FirstAccount({ token }: { readonly token: string | undefined }) {
  const { signIn } = useSession()
  return (
    <div className="narrow stack">
      <p>
        {token === undefined
          ? 'The start of the panel printed a link to this page. Open that link, or copy its token into the last field.'
          : 'The first account may do everything in this panel.'}
      </p>
      <OperationForm
        operation={postAuthRegister}
        order={['name', 'email', 'password', 'setupToken']}
        fixed={token === undefined ? {} : { setupToken: token }}
        labels={{ email: 'E-mail address' }}
        submit="Create the account"
        isOwn
        onDone={(_, { email, password }) => void signIn({ email: String(email), password: String(password) })}
      />
    </div>
  )
}
