/** The page that a one-time link opens. It sends the secret behind the `#` together with the new password. */
import { hash } from 'node:crypto'

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 28rem; margin: 15vh auto; padding: 0 1rem }
input, button { font: inherit; display: block; width: 100%; margin: .5rem 0 1rem; padding: .5rem; box-sizing: border-box }
`

const SCRIPT = `
const token = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
const form = document.querySelector('form'), told = document.querySelector('output')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = JSON.stringify({ token, password: form.elements.password.value })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(location.pathname, { method: 'POST', headers, body }).catch(() => undefined)
  if (answer && answer.ok) form.remove()
  told.textContent = !answer ? 'The service cannot be reached. Try again.'
    : answer.ok ? 'Your password is set. You can sign in now.' : (await answer.json()).message
})
`

const cspHashOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** Allows exactly what the page needs. */
export const SET_PASSWORD_POLICY = `default-src 'none'; script-src ${cspHashOf(SCRIPT)}; style-src ${cspHashOf(STYLE)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export const SET_PASSWORD_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Set your password</title><style>${STYLE}</style></head><body>
<h1>Set your password</h1>
<form><label>New password, at least 15 characters
<input name="password" type="password" autocomplete="new-password" minlength="8" maxlength="256" required autofocus></label>
<button>Set password</button></form>
<output></output>
<script>${SCRIPT}</script></body></html>`
