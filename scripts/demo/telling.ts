/** The output of the demo, and its requests. */
export interface Answered {
  readonly status: number
  readonly body: any
}

export function tell(text: string): void {
  console.log(`\n● ${text}`)
}

export function show(label: string, value: unknown): void {
  console.log(`    ${label.padEnd(13)} ${String(value)}`)
}

export function client(url: string) {
  return async (method: string, path: string, ask: { as?: string; body?: unknown } = {}): Promise<Answered> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(ask.as === undefined ? {} : { authorization: `Bearer ${ask.as}` }),
        ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}

export type Call = ReturnType<typeof client>
