/** Work on one thing, of which each piece sees what the one before it has left. */

/** One after the other. */
export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export function turns(): InTurn {
  let turn: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = turn.then(work)
    turn = mine.catch(() => {})
    return mine
  }
}
