/** What can be removed beside the leftovers. */
const OPTIONS = {
  pruneBuildCache: 'Empty the build caches of the hosts too',
  truncateLogs: 'Empty container logs with more than 100 MiB too',
}
export type Option = keyof typeof OPTIONS

interface OptionsProps {
  readonly chosen: readonly Option[]
  readonly onChange: (chosen: readonly Option[]) => void
}

export const Options = ({ chosen, onChange }: OptionsProps) =>
  (Object.keys(OPTIONS) as Option[]).map((option) => (
    <label key={option} className="check">
      <input
        type="checkbox"
        checked={chosen.includes(option)}
        onChange={({ target }) =>
          onChange(target.checked ? [...chosen, option] : chosen.filter((each) => each !== option))
        }
      />
      <span>{OPTIONS[option]}</span>
    </label>
  ))
