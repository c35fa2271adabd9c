interface TeamNameProps {
  readonly team: { readonly name: string; readonly colour: string | null }
}

/** With its colour, which is never the only sign. */
export const TeamName = ({ team: { name, colour } }: TeamNameProps) => (
  <>
    {colour && <span className="swatch" style={{ background: colour }} />}
    {name}
  </>
)
