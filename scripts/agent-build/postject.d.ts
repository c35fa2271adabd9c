declare module 'postject' {
  /** Puts bytes into an executable, which it writes over. */
  export function inject(
    path: string,
    resource: string,
    bytes: Buffer,
    options: { readonly sentinelFuse: string },
  ): Promise<void>
}
