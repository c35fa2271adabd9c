import { useId, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useLocation } from 'wouter'
import { getAdminSearch } from '#api-client/licensing/search'
import { Button } from '../../kit/controls.tsx'
import { textOf } from '../../kit/refusal.tsx'
import { useCan, useSession } from '../../session/context.tsx'
import { typedText } from '../../session/typed-text.ts'
import { usePathOf } from '../records/id-link.tsx'

const NOTHING = 'There is no record with exactly this. Parts of a word cannot be searched: they are stored encrypted.'

/** Opens the record that a whole id, address, key id, reference or invoice number belongs to. */
export function Find() {
  const field = useId()
  const can = useCan()
  const { call } = useSession()
  const pathOf = usePathOf()
  const [, go] = useLocation()
  const [said, setSaid] = useState('')
  if (!can(getAdminSearch)) return null
  const find = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const q = typedText(new FormData(event.currentTarget), 'q').trim()
    if (q === '') return
    setSaid('')
    try {
      const { items } = (await call(getAdminSearch, { query: { q } })).data
      const path = items.map(({ kind, id }) => pathOf(kind, id)).find(Boolean)
      if (path) go(path)
      else setSaid(NOTHING)
    } catch (error) {
      setSaid(textOf(error as Error))
    }
  }
  return (
    <search>
      <form onSubmit={(event) => void find(event)} className="filters">
        <div className="field" style={{ flexBasis: '30rem', maxInlineSize: '30rem' }}>
          <label htmlFor={field}>Find a record</label>
          <input
            id={field}
            name="q"
            type="search"
            className="input"
            required
            maxLength={getAdminSearch.query?.properties?.['q']?.maxLength}
            placeholder="E-mail address, id, key id, reference or invoice number"
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <Button type="submit">Find</Button>
      </form>
      <output className="soft">{said}</output>
    </search>
  )
}
